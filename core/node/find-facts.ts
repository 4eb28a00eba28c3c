import { isAddress } from "#core/lib/address.ts";
import { withTopologyLabels } from "#core/lib/topology.ts";
import { dialectOf } from "./dialect.ts";
import type { AddressEntry, Directory, DirectoryEntry, PodEntry } from "./directory.ts";
import type { Dialect, Facts } from "./facts.ts";
import { proxyFeatures } from "./features.ts";
import { type NodeIdentity, parseNodeId, splitPodId } from "./identity.ts";
import { formatLocality, joinLocality, localityOf } from "./locality.ts";
import type { NodeMessage } from "./message.ts";
import { type MetadataReader, readMetadata } from "./metadata.ts";

/** A node that can't be understood; `error` is a sentence for the client and its operator. */
export interface Unintelligible {
  readonly error: string;
}

/**
 * Everything that is known of a node: what it says of itself, and what the directory knows of its Pod or WorkloadEntry, which wins
 * (istio `pilot/pkg/xds/ads.go` initProxyMetadata, computeProxyState). `dialect` overrides the choice by {@link dialectOf}.
 */
export function findFacts(node: NodeMessage, directory: Directory, dialect?: Dialect): Facts | Unintelligible {
  const speaks = dialect ?? dialectOf(node);
  const identity = identityOf(node, speaks);
  if ("error" in identity) return identity;
  const metadata = readMetadata(node.metadata);
  const addresses = addressesOf(metadata, identity);
  const announced = announcedOf(node, metadata, identity, speaks);
  const features = proxyFeatures(metadata, addresses, speaks);
  if (metadata.problems.length > 0) return { error: `node "${node.id}": ${metadata.problems.join("; ")}` };
  if (addresses.length === 0) return { error: `node "${node.id}" has no valid IP address in its id or in metadata.INSTANCE_IPS` };
  const { ownLabels, staticLabels, ...facts } = announced;
  return { ...facts, type: identity.type, dialect: speaks, addresses, features, ...registered(announced, addresses, directory, node) };
}

type Announced = Omit<Facts, "type" | "dialect" | "addresses" | "features" | keyof Registered> & {
  readonly ownLabels: Readonly<Record<string, string>>;
  readonly staticLabels: Readonly<Record<string, string>>;
};

/** Plain Envoys and gRPC clients may have an id of their own making; then metadata carries what an Istio id does. */
function identityOf(node: NodeMessage, dialect: Dialect): NodeIdentity | Unintelligible {
  const parsed = parseNodeId(node.id);
  if (!("error" in parsed) || dialect === "istio-proxy") return parsed;
  const namespace = typeof node.metadata.NAMESPACE === "string" ? node.metadata.NAMESPACE : "default";
  return { type: "sidecar", address: "127.0.0.1", podId: `${node.id}.${namespace}`, dnsDomain: `${namespace}.svc.cluster.local` };
}

function addressesOf(metadata: MetadataReader, identity: NodeIdentity): readonly string[] {
  const listed = metadata.list("INSTANCE_IPS") ?? [];
  if (listed.length > 0 && listed.every(isAddress)) return listed;
  return identity.address === "" ? [] : [identity.address];
}

/** Where a client is that doesn't say it: Istio's name for a mesh's only cluster. Istio's own proxy always says it. */
const DEFAULT_CLUSTER = "Kubernetes";

function announcedOf(node: NodeMessage, metadata: MetadataReader, identity: NodeIdentity, dialect: Dialect): Announced {
  const domain = identity.dnsDomain.split(".");
  const proxyConfig = metadata.record("PROXY_CONFIG");
  const podPorts = parsePodPorts(metadata.text("POD_PORTS"));
  const stated = metadata.text("NAMESPACE");
  const namespace = stated || (domain.length > 1 ? (domain[0] ?? "") : "");
  return {
    id: node.id,
    podId: identity.podId,
    namespace,
    statedNamespace: dialect === "istio-proxy" ? stated : namespace,
    dnsDomain: identity.dnsDomain,
    cluster: metadata.text("CLUSTER_ID") || (dialect === "istio-proxy" ? "" : DEFAULT_CLUSTER),
    network: metadata.text("NETWORK"),
    serviceAccount: metadata.text("SERVICE_ACCOUNT"),
    nodeName: metadata.text("NODE_NAME"),
    workloadName: metadata.text("WORKLOAD_NAME"),
    meshId: metadata.text("MESH_ID"),
    serviceCluster: node.cluster,
    ...(podPorts && { podPorts }),
    ...(proxyConfig && { proxyConfig }),
    ownLabels: metadata.labels("LABELS") ?? {},
    staticLabels: metadata.labels("STATIC_LABELS") ?? {},
  };
}

/** Istio carries JSON inside a string; one that does not parse counts as absent, so that the proxy still gets its outbound side. */
function parsePodPorts(text: string): Facts["podPorts"] {
  if (text === "") return undefined;
  try {
    const ports: unknown = JSON.parse(text);
    if (!Array.isArray(ports)) return undefined;
    return ports.map((port: Record<string, unknown>) => ({
      name: String(port.name ?? ""),
      containerPort: Number(port.containerPort ?? 0),
      protocol: String(port.protocol ?? ""),
    }));
  } catch {
    return undefined;
  }
}

type Registered = Pick<Facts, "labels" | "locality" | "pod" | "workloadEntry" | "targets">;

/** What the registry adds: labels (static metadata labels lie under the Pod's), locality, and what is registered for the Pod's name and addresses. */
function registered(announced: Announced, addresses: readonly string[], directory: Directory, node: NodeMessage): Registered {
  const { cluster, nodeName, network } = announced;
  // A simulated virtual machine runs in a Pod of its own, which must not be taken for the workload (istio Proxy.IsVM).
  const simulated = (announced.ownLabels["istio.io/test-vm"] ?? "") !== "";
  const pod = simulated ? undefined : findPod(announced, directory);
  const found = addresses.flatMap((address) => addressEntry(directory.byAddress(cluster, address)));
  const claims = found
    .flatMap(({ claims: all }) => all)
    .filter(({ namespace }) => announced.statedNamespace === "" || namespace === announced.statedNamespace);
  const labels = simulated ? undefined : pod === undefined ? claims.find((claim) => claim.labels !== undefined)?.labels : podLabels(pod, nodeName);
  const base = labels === undefined ? announced.ownLabels : { ...announced.staticLabels, ...labels };
  const locality = localityOf(base, node.locality);
  const workloadEntry = chooseWorkloadEntry(found.find(({ name }) => name === addresses[0])?.workloadEntries ?? [], announced);
  return {
    labels: withTopologyLabels(base, { cluster, locality: formatLocality(locality), nodeName, network }),
    locality,
    ...(pod && { pod }),
    ...(workloadEntry !== undefined && { workloadEntry }),
    targets: claims.flatMap(({ targets }) => targets),
  };
}

function podLabels(pod: PodEntry, nodeName: string): Readonly<Record<string, string>> {
  return withTopologyLabels(pod.labels, { cluster: pod.cluster, locality: joinLocality(pod.locality), nodeName, network: pod.network });
}

/** By name, where the id's namespace is the announced one (istio `kube/controller/util.go` podKeyByProxy). */
function findPod(node: Announced, directory: Directory): PodEntry | undefined {
  const { name, namespace } = splitPodId(node.podId);
  const entry = namespace === node.statedNamespace ? directory.byName(node.cluster, name, namespace) : undefined;
  return entry?.kind === "pod" ? entry : undefined;
}

function addressEntry(entry: DirectoryEntry | undefined): readonly AddressEntry[] {
  return entry?.kind === "address" ? [entry] : [];
}

/** Of several WorkloadEntries with the node's address: the one with its name, else one of its namespace, else the first (`workloadinstances.GetInstanceForProxy`). */
function chooseWorkloadEntry(workloadEntries: AddressEntry["workloadEntries"], node: Announced): string | undefined {
  const own = workloadEntries.filter(({ namespace }) => namespace === node.namespace);
  const chosen = own.find(({ namespace, name }) => node.podId === `${name}.${namespace}`) ?? own[0] ?? workloadEntries[0];
  return chosen && `${chosen.namespace}/${chosen.name}`;
}
