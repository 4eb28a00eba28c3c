import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type KubeObject = Readonly<Record<string, unknown>>;

/** A folder of objects that a test edits as a user would: each file as a whole. */
export interface MeshFolder {
  readonly path: string;
  readonly write: (file: string, ...objects: readonly KubeObject[]) => Promise<void>;
  readonly writeText: (file: string, text: string) => Promise<void>;
  readonly remove: (file: string) => Promise<void>;
  readonly delete: () => Promise<void>;
}

export async function meshFolder(): Promise<MeshFolder> {
  const path = await mkdtemp(join(tmpdir(), "almanac-mesh-"));
  const writeText = async (file: string, text: string): Promise<void> => {
    // As editors and ConfigMap volumes do: nobody sees half a file.
    await writeFile(join(path, `.${file}.tmp`), text);
    await rename(join(path, `.${file}.tmp`), join(path, `${file}.yaml`));
  };
  return {
    path,
    writeText,
    // JSON is YAML.
    write: (file, ...objects) => writeText(file, objects.map((object) => JSON.stringify(object)).join("\n---\n")),
    remove: (file) => rm(join(path, `${file}.yaml`)),
    delete: () => rm(path, { recursive: true, force: true }),
  };
}

/** A place where one of a service's pods answers. Endpoints of a service are told apart by address, not by port. */
export interface Place {
  readonly address: string;
  readonly port: number;
  /** Labels of the pod beside `app`. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Where an upstream plays a pod. */
export function placeOf(upstream: Pick<Place, "address" | "port"> | undefined, labels: Readonly<Record<string, string>> = {}): Place {
  if (upstream === undefined) throw new Error("no such upstream");
  return { address: upstream.address, port: upstream.port, labels };
}

/** A Service with a port named `http`, and for each place a Pod with an EndpointSlice of its own, so that each has its own port. */
export function service(name: string, namespace: string, port: number, ...places: readonly Place[]): readonly KubeObject[] {
  const ports = [{ name: "http", port, targetPort: "http" }];
  return [
    { apiVersion: "v1", kind: "Service", metadata: { name, namespace }, spec: { clusterIP: "10.96.0.1", selector: { app: name }, ports } },
    ...places.flatMap((place, at) => pod(name, namespace, at, place)),
  ];
}

function pod(app: string, namespace: string, at: number, { address, port, labels = {} }: Place): readonly KubeObject[] {
  const name = `${app}-${at}`;
  const container = { name: app, image: app, ports: [{ name: "http", containerPort: port }] };
  return [
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, labels: { app, ...labels } },
      spec: { serviceAccountName: app, containers: [container] },
      status: { phase: "Running", podIP: address, conditions: [{ type: "Ready", status: "True" }] },
    },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: `${name}-slice`, namespace, labels: { "kubernetes.io/service-name": app } },
      addressType: "IPv4",
      ports: [{ name: "http", port, protocol: "TCP" }],
      endpoints: [{ addresses: [address], conditions: { ready: true }, targetRef: { kind: "Pod", name, namespace } }],
    },
  ];
}

/** An object of networking.istio.io. */
export function istio(kind: string, name: string, namespace: string, spec: KubeObject): KubeObject {
  return { apiVersion: "networking.istio.io/v1", kind, metadata: { name, namespace }, spec };
}
