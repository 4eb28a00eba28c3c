import { isAddress } from "#core/lib/address.ts";
import { compareText } from "#core/lib/compare.ts";
import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { localityFromLabels, withTopologyLabels } from "#core/lib/topology.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { WorkloadEntry } from "#proto/networking/v1alpha3/workload_entry_pb.js";
import type { WorkloadFacts } from "../../endpoint.ts";
import { spiffeId } from "./spiffe.ts";
import { type ClusterPlace, podFacts } from "./workload-facts.ts";
import { workloadTraits } from "./workload-traits.ts";

const UNIX = "unix://";

/** A workload that a ServiceEntry or Service may select: a WorkloadEntry (inline ones included) or a ready Pod. */
export interface WorkloadInstance {
  readonly kind: "pod" | "workload-entry";
  readonly namespace: string;
  readonly name: string;
  /** IP address, host name, `unix://` path, or "" for one behind a gateway of its network. */
  readonly address: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly weight: number;
  /** Its address only makes sense to DNS clusters. */
  readonly dnsOnly: boolean;
  readonly facts: WorkloadFacts;
}

/** Istio's order of selected workloads: Pods first, then by namespace and name. */
export function compareInstances(a: WorkloadInstance, b: WorkloadInstance): number {
  return compareText(a.kind, b.kind) || compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

/**
 * A WorkloadEntry object, or undefined while it waits for its health check. Its own labels beat those of its spec
 * (istio `serviceregistry/serviceentry/conversion.go` ConvertWorkloadEntry, isHealthy).
 */
export const entryInstance = memoize((place: ClusterPlace, object: SourceObject<"WorkloadEntry">): WorkloadInstance | undefined => {
  const { key, annotations, spec } = object;
  if (isTrue(annotations["proxy.istio.io/health-checks-enabled"]) && spec.healthy !== true) return undefined;
  const name = annotations["istio.io/autoRegistrationGroup"] ?? object.labels["service.istio.io/workload-name"] ?? key.name;
  return fromEntry(
    spec.entry,
    { ...spec.entry.labels, ...object.labels },
    { namespace: key.namespace, name: key.name, workloadName: name, place, sources: [key] },
  );
});

/** An endpoint written into a ServiceEntry itself, named by its index. */
export function inlineInstance(entry: WorkloadEntry, index: number, owner: SourceObject<"ServiceEntry">, place: ClusterPlace): WorkloadInstance {
  const name = `${owner.key.name}-${index}`;
  return fromEntry(entry, entry.labels, { namespace: owner.key.namespace, name, workloadName: name, place, sources: [] });
}

interface Identity {
  readonly namespace: string;
  readonly name: string;
  readonly workloadName: string;
  readonly place: ClusterPlace;
  readonly sources: readonly ObjectKey[];
}

function fromEntry(entry: WorkloadEntry, labels: Labels, { namespace, name, workloadName, place, sources }: Identity): WorkloadInstance {
  const { address, serviceAccount, network, ports, weight } = entry;
  const locality = entry.locality || localityFromLabels(labels);
  const spiffe = serviceAccount === "" ? "" : spiffeId(place.trustDomain, namespace, serviceAccount);
  const facts: WorkloadFacts = {
    labels: withTopologyLabels(labels, { cluster: place.cluster, locality, nodeName: "", network }),
    traits: workloadTraits(labels),
    serviceAccount: spiffe,
    tlsMode: labels["security.istio.io/tlsMode"] ?? (serviceAccount === "" ? "disabled" : "istio"),
    workloadName,
    namespace,
    cluster: place.cluster,
    network,
    locality,
    nodeName: "",
    hostName: "",
    subdomain: "",
    sources,
  };
  const dnsOnly = address.startsWith(UNIX) || (address !== "" && !isAddress(address));
  return { kind: "workload-entry", namespace, name, address, ports, weight, dnsOnly, facts };
}

/** May a ServiceEntry select this Pod? Istio `kube/controller/pod.go` onEvent: it has an address, is ready and not on its way out. */
export function isServing({ spec }: SourceObject<"Pod">): boolean {
  return spec.podIP !== "" && spec.ready && !spec.deleting && spec.phase !== "Failed" && spec.phase !== "Succeeded";
}

/** A Pod as something that selectors may select. */
export const podInstance = memoize((place: ClusterPlace, node: SourceObject<"Node"> | undefined, pod: SourceObject<"Pod">): WorkloadInstance => {
  const { namespace, name } = pod.key;
  return {
    kind: "pod",
    namespace,
    name,
    address: pod.spec.podIP,
    ports: tcpPorts(pod),
    weight: 0,
    dnsOnly: false,
    facts: podFacts(pod, place, node),
  };
});

/** Named TCP ports of the containers; the first of a name wins. */
function tcpPorts({ spec }: SourceObject<"Pod">): Readonly<Record<string, number>> {
  const ports = new Map<string, number>();
  for (const container of spec.containers) {
    for (const { name, protocol, containerPort } of container.ports) {
      if (name !== "" && protocol === "TCP" && !ports.has(name)) ports.set(name, containerPort);
    }
  }
  return Object.fromEntries(ports);
}

/** Go's `strconv.ParseBool`. */
function isTrue(text: string | undefined): boolean {
  return text !== undefined && ["1", "t", "T", "true", "TRUE", "True"].includes(text);
}
