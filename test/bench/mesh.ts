import type { NodeMessage } from "#core/node/message.ts";
import { admit } from "#core/sources/admit.ts";
import { decode } from "#core/sources/decode.ts";
import { emptyInventory, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** A synthetic mesh: services spread over namespaces, each endpoint a Pod in one of three zones, the first services with routing rules. */
export interface MeshSize {
  readonly services: number;
  /** Endpoints of each service. */
  readonly endpoints: number;
  /** Services with a VirtualService (header match, 90/10 split) and a DestinationRule (outlier detection, two subsets). */
  readonly rules: number;
  readonly namespaces: number;
}

export const MESH_1000: MeshSize = { services: 1000, endpoints: 10, rules: 200, namespaces: 10 };

const ADDRESS_POOL = 0x600000;

function address(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** The documents of a mesh, one object each. */
export function meshDocuments(size: MeshSize): readonly unknown[] {
  const documents: unknown[] = [];
  for (let index = 0; index < size.namespaces; index++) documents.push({ apiVersion: "v1", kind: "Namespace", metadata: { name: `team-${index}` } });
  for (let zone = 0; zone < 3; zone++) documents.push(kubeNode(zone));
  for (let index = 0; index < size.services; index++) {
    documents.push(service(index, size), slice(index, size), ...pods(index, size));
    if (index < size.rules) documents.push(virtualService(index, size), destinationRule(index, size));
  }
  return documents;
}

export function meshInventory(size: MeshSize): Inventory {
  const documents = meshDocuments(size).map((value) => ({ value }));
  return replaceAll(emptyInventory(), "Kubernetes", admit(documents, { cluster: "Kubernetes" }));
}

/** The object of one document, as a source would hand it on. */
export function meshObject(document: unknown): SourceObject {
  const { object } = decode(document, { cluster: "Kubernetes" });
  if (object === undefined) throw new Error("an object of the mesh can't be decoded");
  return object;
}

/** Sidecars of the first Pods of services, one service after the other. */
export function meshNodes(count: number, size: MeshSize): readonly NodeMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const namespace = namespaceOf(index, size);
    return {
      id: `sidecar~${address(index * size.endpoints + 1)}~svc-${index}-0.${namespace}~${namespace}.svc.cluster.local`,
      cluster: `svc-${index}.${namespace}`,
      metadata: {
        CLUSTER_ID: "Kubernetes",
        NAMESPACE: namespace,
        ISTIO_VERSION: "1.31.0",
        SERVICE_ACCOUNT: `svc-${index}`,
        LABELS: { app: `svc-${index}`, version: "v1" },
      },
      locality: { region: "", zone: "", subzone: "" },
      userAgentName: "envoy",
    };
  });
}

function namespaceOf(index: number, { namespaces }: MeshSize): string {
  return `team-${index % namespaces}`;
}

function kubeNode(zone: number): unknown {
  const labels = { "topology.kubernetes.io/region": "eu", "topology.kubernetes.io/zone": `eu-${zone}` };
  return { apiVersion: "v1", kind: "Node", metadata: { name: `node-${zone}`, labels } };
}

function service(index: number, size: MeshSize): unknown {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: `svc-${index}`, namespace: namespaceOf(index, size) },
    spec: {
      clusterIP: address(ADDRESS_POOL + index),
      selector: { app: `svc-${index}` },
      ports: [
        { name: "http", port: 8080, targetPort: 8080 },
        { name: "grpc", port: 9090, targetPort: 9090 },
      ],
    },
  };
}

/** The EndpointSlice of a service; endpoints whose number is in `unready` are not ready. */
export function slice(index: number, size: MeshSize, unready: ReadonlySet<number> = new Set()): unknown {
  const name = `svc-${index}`;
  const namespace = namespaceOf(index, size);
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: `${name}-1`, namespace, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    endpoints: Array.from({ length: size.endpoints }, (_, number) => ({
      addresses: [address(index * size.endpoints + number + 1)],
      conditions: unready.has(number) ? { ready: false, serving: false, terminating: false } : { ready: true },
      nodeName: `node-${number % 3}`,
      targetRef: { kind: "Pod", name: `${name}-${number}`, namespace },
    })),
    ports: [
      { name: "http", port: 8080, protocol: "TCP" },
      { name: "grpc", port: 9090, protocol: "TCP" },
    ],
  };
}

function pods(index: number, size: MeshSize): readonly unknown[] {
  return Array.from({ length: size.endpoints }, (_, number) => pod(index, number, size));
}

/** A Pod of a service, of one of two versions where none is said. */
export function pod(index: number, number: number, size: MeshSize, version = number % 2 ? "v2" : "v1"): unknown {
  const name = `svc-${index}`;
  const podIP = address(index * size.endpoints + number + 1);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `${name}-${number}`, namespace: namespaceOf(index, size), labels: { app: name, version } },
    spec: { serviceAccountName: name, nodeName: `node-${number % 3}`, containers: [{ name: "app", image: "app" }] },
    status: { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions: [{ type: "Ready", status: "True" }] },
  };
}

/** The VirtualService of a service: a share of its traffic goes to the second subset. */
export function virtualService(index: number, size: MeshSize, share = 10): unknown {
  const name = `svc-${index}`;
  const namespace = namespaceOf(index, size);
  const host = `${name}.${namespace}.svc.cluster.local`;
  const split = [
    { destination: { host, subset: "v1" }, weight: 100 - share },
    { destination: { host, subset: "v2" }, weight: share },
  ];
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name, namespace, creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: {
      hosts: [host],
      http: [
        { match: [{ headers: { "x-beta": { exact: "yes" } } }], route: [{ destination: { host, subset: "v2" } }] },
        { route: split, timeout: "5s" },
      ],
    },
  };
}

function destinationRule(index: number, size: MeshSize): unknown {
  const name = `svc-${index}`;
  const namespace = namespaceOf(index, size);
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "DestinationRule",
    metadata: { name, namespace, creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: {
      host: `${name}.${namespace}.svc.cluster.local`,
      trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5 } },
      subsets: [
        { name: "v1", labels: { version: "v1" } },
        { name: "v2", labels: { version: "v2" } },
      ],
    },
  };
}
