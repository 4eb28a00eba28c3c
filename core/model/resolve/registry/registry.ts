import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import { placeIn } from "#core/lib/place-in.ts";
import { lazyTrie, lookUp, type TrieNode, trieOf, visit } from "#core/lib/trie.ts";
import type { PodEntry } from "#core/node/directory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Namespaces } from "./namespaces.ts";
import type { ClusterPlace } from "./workload-facts.ts";
import { isServing } from "./workload-instance.ts";

type Objects<K extends "Pod" | "EndpointSlice" | "WorkloadEntry" | "Service" | "Node"> = readonly SourceObject<K>[];

/** The workload objects of one cluster, found by what endpoints need to find them by. Lists are in order of namespace and name. */
export interface ClusterRegistry {
  readonly place: ClusterPlace;
  readonly namespaces: Namespaces;
  readonly nodes: ReadonlyMap<string, SourceObject<"Node">>;
  /** By `namespace/name`. */
  readonly services: ReadonlyMap<string, SourceObject<"Service">>;
  readonly servicesByNamespace: ReadonlyMap<string, Objects<"Service">>;
  /** Serving Pods by their first address. */
  readonly podsByAddress: TrieNode<Objects<"Pod">>;
  /** By namespace, in order of their names (see {@link findPod}); failed Pods are none. */
  readonly podsByNamespace: TrieNode<Objects<"Pod">>;
  /** Slices of a service by `namespace/name` of the service. */
  readonly slices: TrieNode<Objects<"EndpointSlice">>;
  /** Services (`namespace/name`) whose slices refer to a Pod or an address: see {@link sliceReferences} and {@link slicingServices}. */
  readonly slicedBy: TrieNode<readonly string[]>;
  /** By namespace. */
  readonly workloadEntries: TrieNode<Objects<"WorkloadEntry">>;
  readonly workloadEntriesByAddress: TrieNode<Objects<"WorkloadEntry">>;
  /** What the directory says of the Pods. */
  readonly podEntries: PodEntries;
}

/** What a Pod's entry in the directory is made of. */
export type PodRegistry = Omit<ClusterRegistry, "podEntries">;

/** Directory entries of a cluster's Pods, which exist when somebody has asked for them. */
export interface PodEntries {
  /** In order of namespace and name; the same list each time. */
  all(): readonly PodEntry[];
  /** The entry of one Pod; the same each time, and the one that the list has. */
  find(namespace: string, name: string): PodEntry | undefined;
  /** Those that exist, in order of namespace and name. */
  made(): readonly PodEntry[];
  isComplete(): boolean;
}

/** What is found of the Pods of a cluster. */
export function podIndexes(pods: Objects<"Pod">): Pick<ClusterRegistry, "podsByAddress" | "podsByNamespace"> {
  const podsByNamespace = trieOf<Objects<"Pod">>(groupBy(pods.filter(isKnownPod), namespaceOf));
  return { podsByNamespace, podsByAddress: addressIndex(podsByNamespace) };
}

/** Only slices that name no Pods need it. */
export function addressIndex(podsByNamespace: TrieNode<Objects<"Pod">>): TrieNode<Objects<"Pod">> {
  return lazyTrie(() => groupBy(podsInOrder(podsByNamespace).filter(isServing), ({ spec }) => spec.podIP));
}

/** All Pods, in order of namespace and name. */
export function podsInOrder(podsByNamespace: TrieNode<Objects<"Pod">>): Objects<"Pod"> {
  const lists: Objects<"Pod">[] = [];
  visit(podsByNamespace, (_, pods) => lists.push(pods));
  return lists.sort(([a], [b]) => compareText(a?.key.namespace ?? "", b?.key.namespace ?? "")).flat();
}

/** The Pod of that name. */
export function findPod(
  { podsByNamespace }: Pick<ClusterRegistry, "podsByNamespace">,
  namespace: string,
  name: string,
): SourceObject<"Pod"> | undefined {
  const pods = lookUp(podsByNamespace, namespace) ?? NO_PODS;
  const { index, found } = placeOfPod(pods, name);
  return found ? pods[index] : undefined;
}

const NO_PODS: Objects<"Pod"> = [];

/**
 * As {@link findPod}, for many Pods: slices name those of a workload one after the other, as they stand in the registry, so that the next one is mostly
 * where the one before was.
 */
export function podFinder({
  podsByNamespace,
}: Pick<ClusterRegistry, "podsByNamespace">): (namespace: string, name: string) => SourceObject<"Pod"> | undefined {
  let pods = NO_PODS;
  let within: string | undefined;
  let next = 0;
  return (namespace, name) => {
    if (namespace !== within) {
      pods = lookUp(podsByNamespace, namespace) ?? NO_PODS;
      within = namespace;
      next = 0;
    }
    const near = pods[next];
    if (near?.key.name === name) {
      next++;
      return near;
    }
    const { index, found } = placeOfPod(pods, name);
    next = index + 1;
    return found ? pods[index] : undefined;
  };
}

function placeOfPod(pods: Objects<"Pod">, name: string): { readonly index: number; readonly found: boolean } {
  return placeIn(pods, ({ key }) => compareText(key.name, name));
}

/** Istio doesn't watch failed Pods at all. */
export function isKnownPod({ spec }: SourceObject<"Pod">): boolean {
  return spec.phase !== "Failed";
}

export function sliceIndexes(slices: Objects<"EndpointSlice">): Pick<ClusterRegistry, "slices" | "slicedBy"> {
  const byService = groupBy(slices.filter(isServiceSlice), sliceService);
  return { slices: trieOf<Objects<"EndpointSlice">>(byService), slicedBy: lazyTrie<readonly string[]>(() => referrers(byService)) };
}

export function entryIndexes(entries: Objects<"WorkloadEntry">): Pick<ClusterRegistry, "workloadEntries" | "workloadEntriesByAddress"> {
  return {
    workloadEntries: trieOf<Objects<"WorkloadEntry">>(groupBy(entries, namespaceOf)),
    workloadEntriesByAddress: trieOf<Objects<"WorkloadEntry">>(groupBy(entries, ({ spec }) => spec.entry.address)),
  };
}

export function serviceIndexes(services: Objects<"Service">): Pick<ClusterRegistry, "services" | "servicesByNamespace"> {
  return { services: new Map(services.map((service) => [objectId(service), service])), servicesByNamespace: groupBy(services, namespaceOf) };
}

export function nodeIndex(nodes: Objects<"Node">): Pick<ClusterRegistry, "nodes"> {
  return { nodes: new Map(nodes.map((node) => [node.key.name, node])) };
}

/** `namespace/name`, unique among objects of a kind in one cluster. */
export function objectId({ key }: Pick<SourceObject, "key">): string {
  return `${key.namespace}/${key.name}`;
}

function namespaceOf({ key }: SourceObject): string {
  return key.namespace;
}

/** Does the slice give addresses to a Service? Those of a multi-cluster service don't, nor those of host names. */
export function isServiceSlice({ labels, spec }: SourceObject<"EndpointSlice">): boolean {
  return spec.addressType !== "FQDN" && labels["multicluster.kubernetes.io/service-name"] === undefined && (labels[SERVICE_NAME] ?? "") !== "";
}

const SERVICE_NAME = "kubernetes.io/service-name";

/** The service that a slice belongs to, as `namespace/name`. */
export function sliceService({ key, labels }: SourceObject<"EndpointSlice">): string {
  return `${key.namespace}/${labels[SERVICE_NAME] ?? ""}`;
}

/**
 * What the endpoints of a slice are explained by: Pods that they name, or the address where they name none. Pods of the slice's own namespace by their name
 * alone, a text that the slice has anyway; one of another namespace is `namespace/name`.
 */
export function sliceReferences({ key, spec }: SourceObject<"EndpointSlice">): ReadonlySet<string> {
  const references = new Set<string>();
  for (const { addresses, targetRef } of spec.endpoints) {
    if (targetRef?.kind !== "Pod") for (const address of addresses) references.add(address);
    else references.add(targetRef.namespace === key.namespace ? targetRef.name : `${targetRef.namespace}/${targetRef.name}`);
  }
  return references;
}

/** The services whose slices refer to a Pod, by its name or its address. */
export function slicingServices({ slicedBy }: Pick<ClusterRegistry, "slicedBy">, { key, spec }: SourceObject<"Pod">): readonly string[] {
  const near = [...(lookUp(slicedBy, key.name) ?? NO_SERVICES), ...(lookUp(slicedBy, spec.podIP) ?? NO_SERVICES)];
  const own = near.filter((service) => service.startsWith(`${key.namespace}/`));
  return [...new Set([...own, ...(lookUp(slicedBy, objectId({ key })) ?? NO_SERVICES)])];
}

const NO_SERVICES: readonly string[] = [];

/** Mostly all that the slices of a service refer to is referred to by them alone: one list for all of it. */
function referrers(slices: ReadonlyMap<string, Objects<"EndpointSlice">>): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [service, members] of slices) {
    const alone = [service];
    for (const reference of new Set(members.flatMap((slice) => [...sliceReferences(slice)]))) {
      const known = found.get(reference);
      found.set(reference, known === undefined ? alone : [...known, service]);
    }
  }
  return found;
}
