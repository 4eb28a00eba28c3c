import type { JsonProblem } from "#core/lib/protobuf/from-json.ts";
import type {
  KubeConfigMap,
  KubeDeployment,
  KubeEndpointSlice,
  KubeNamespace,
  KubeNode,
  KubePod,
  KubeSecret,
  KubeService,
  Verbatim,
} from "../kubernetes.ts";
import { flag, integer, integerOrText, listOf, looseText, mapOf, object, optional, type Reader, record, shared, text } from "./shape.ts";

// Projected objects have their keys in order, so that their canonical text is `JSON.stringify`'s (core/lib/canonical.ts).

/** A whole Kubernetes object, `metadata` included, as JSON. */
export type Document = Readonly<Record<string, unknown>>;

const serviceSpec = object({
  type: text,
  clusterIP: text,
  clusterIPs: listOf(text),
  externalIPs: listOf(text),
  externalName: text,
  selector: mapOf(text),
  publishNotReadyAddresses: flag,
  internalTrafficPolicy: text,
  trafficDistribution: text,
  ports: listOf(
    object<KubeService["ports"][number]>({
      name: text,
      protocol: text,
      port: integer,
      targetPort: optional(integerOrText) as never,
      nodePort: integer,
      appProtocol: optional(text) as never,
    }),
  ),
});
const loadBalancer = object({ loadBalancer: object({ ingress: listOf(object({ ip: text, hostname: text })) }) });

export function decodeService(document: Document, problems: JsonProblem[]): KubeService {
  const { clusterIP, clusterIPs, externalIPs, externalName, internalTrafficPolicy, ...others } = serviceSpec(document.spec, "spec", problems);
  const { ingress } = loadBalancer(document.status, "status", problems).loadBalancer;
  return { clusterIP, clusterIPs, externalIPs, externalName, internalTrafficPolicy, loadBalancer: ingress, ...others };
}

/** A number of 64 bits; what is none is not of interest here. */
const userId: Reader<number> = (value) => (typeof value === "number" ? value : 0);
const securityContext = object({ runAsUser: userId });
const containers = listOf(
  object({ name: text, restartPolicy: text, ports: listOf(object({ name: text, containerPort: integer, protocol: text })), securityContext }),
);
const podSpec = object({
  securityContext,
  nodeName: shared(text),
  serviceAccountName: shared(text),
  hostNetwork: flag,
  hostname: text,
  subdomain: text,
  containers,
  initContainers: containers,
});
const podStatus = object({
  phase: shared(text),
  podIP: text,
  podIPs: listOf(object({ ip: text })),
  conditions: listOf(object({ type: text, status: text })),
});

/** Pods of one Deployment have the same ones. */
const keptContainers = shared<KubePod["containers"]>((value) => (value as KubePod["containers"]).map(({ name, ports }) => ({ name, ports })));

/** Init containers that restart always are sidecars; an `istio-proxy` is kept as well, since it marks injection (`pkg/kube/util.go` StripPodUnusedFields). */
export function decodePod(document: Document, problems: JsonProblem[]): KubePod {
  const spec = podSpec(document.spec, "spec", problems);
  const status = podStatus(document.status, "status", problems);
  const sidecars = spec.initContainers.filter((one) => one.restartPolicy === "Always" || one.name === "istio-proxy");
  return {
    containers: keptContainers([...spec.containers, ...sidecars], "", problems),
    deleting: record(document.metadata, "metadata", []).deletionTimestamp !== undefined,
    hostNetwork: spec.hostNetwork,
    hostname: spec.hostname,
    nodeName: spec.nodeName,
    phase: status.phase,
    podIP: status.podIP,
    podIPs: status.podIPs.map((one) => one.ip),
    ready: status.conditions.some((one) => one.type === "Ready" && one.status === "True"),
    ...proxyUser([spec.securityContext, ...applications(spec.containers)]),
    serviceAccountName: spec.serviceAccountName,
    subdomain: spec.subdomain,
  };
}

const PROXY_USER = 1337;
type User = ReturnType<typeof securityContext>;

/** Only what differs from the rule is kept: nearly no Pod has it. */
function proxyUser(users: readonly User[]): Pick<KubePod, "runsAsProxyUser"> {
  return users.some(({ runAsUser }) => runAsUser === PROXY_USER) ? { runsAsProxyUser: true } : {};
}

function applications(all: readonly { readonly name: string; readonly securityContext: User }[]): readonly User[] {
  return all.filter(({ name }) => name !== "istio-proxy" && name !== "istio-operator").map((one) => one.securityContext);
}

const templateContainers = listOf(object({ name: looseText, securityContext }));
const template = object({
  metadata: object({ labels: mapOf(looseText), annotations: mapOf(looseText) }),
  spec: object({ securityContext, containers: templateContainers, initContainers: templateContainers }),
});
const deploymentSpec = object({ template });

export function decodeDeployment(document: Document, problems: JsonProblem[]): KubeDeployment {
  const { metadata, spec } = deploymentSpec(document.spec, "spec", problems).template;
  const names = [...spec.containers, ...spec.initContainers].map(({ name }) => name);
  const { annotations, labels } = metadata;
  return { ...proxyUser([spec.securityContext, ...applications(spec.containers)]), template: { annotations, containers: names, labels } };
}

const endpointSlice = object<KubeEndpointSlice & { endpoints: unknown }>({
  addressType: text,
  ports: listOf(
    object<KubeEndpointSlice["ports"][number]>({
      name: text,
      port: optional(integer) as never,
      protocol: text,
      appProtocol: optional(text) as never,
    }),
  ),
  endpoints: listOf(
    object({
      addresses: listOf(text),
      conditions: object({ ready: optional(flag), serving: optional(flag), terminating: optional(flag) }),
      hostname: text,
      nodeName: shared(text),
      zone: shared(text),
      targetRef: optional(object({ kind: shared(text), name: text, namespace: shared(text) })),
    }),
  ) as never,
});

export function decodeEndpointSlice(document: Document, problems: JsonProblem[]): KubeEndpointSlice {
  const slice = endpointSlice(document, "", problems);
  const endpoints = slice.endpoints as readonly (KubeEndpointSlice["endpoints"][number] & { conditions: Conditions })[];
  return { ...slice, endpoints: endpoints.map(({ conditions, ...endpoint }) => withConditions(endpoint, conditions)) };
}

type SliceEndpoint = KubeEndpointSlice["endpoints"][number];
type Conditions = Pick<SliceEndpoint, "ready" | "serving" | "terminating">;

function withConditions(
  { addresses, hostname, nodeName, targetRef, zone }: SliceEndpoint,
  { ready, serving, terminating }: Conditions,
): SliceEndpoint {
  return {
    addresses,
    hostname,
    nodeName,
    ...(ready !== undefined && { ready }),
    ...(serving !== undefined && { serving }),
    ...(targetRef && { targetRef }),
    ...(terminating !== undefined && { terminating }),
    zone,
  };
}

const nodeStatus = object({ addresses: listOf(object({ type: text, address: text })) });

export function decodeNode(document: Document, problems: JsonProblem[]): KubeNode {
  return nodeStatus(document.status, "status", problems);
}

export function decodeNamespace(): KubeNamespace {
  return {};
}

const secret = object({ type: text, data: mapOf(text), stringData: mapOf(text) });

/** `stringData` is folded into `data` as the API server does. */
export function decodeSecret(document: Document, problems: JsonProblem[]): KubeSecret {
  const { type, data, stringData } = secret(document, "", problems);
  const plain = Object.entries(stringData).map(([key, value]) => [key, toBase64(value)]);
  return { data: { ...data, ...Object.fromEntries(plain) }, type };
}

const configMap = object({ data: mapOf(text) });

export function decodeConfigMap(document: Document, problems: JsonProblem[]): KubeConfigMap {
  return configMap(document, "", problems);
}

/** Everything but what every object has. */
export function decodeVerbatim(document: Document): Verbatim {
  const { apiVersion, kind, metadata, ...rest } = document;
  return rest;
}

function toBase64(value: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(value)));
}
