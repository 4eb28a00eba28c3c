import { groupBy } from "#core/lib/group.ts";
import { type TrieNode, trieOf } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { ClusterPlace } from "./workload-facts.ts";
import type { Namespaces } from "./namespaces.ts";
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
  /** By `namespace/name`; failed Pods are none. */
  readonly pods: TrieNode<SourceObject<"Pod">>;
  /** Serving Pods by their first address. */
  readonly podsByAddress: TrieNode<Objects<"Pod">>;
  /** Slices of a service by `namespace/name` of the service. */
  readonly slices: TrieNode<Objects<"EndpointSlice">>;
  /** Services whose slices name a Pod (`pod/namespace/name`) or an address that no Pod reference explains (`address/…`), as `namespace/name`. */
  readonly slicedBy: TrieNode<readonly string[]>;
  /** By namespace. */
  readonly workloadEntries: TrieNode<Objects<"WorkloadEntry">>;
}

/** What a cluster's registry is made of. */
export interface ClusterObjects {
  readonly services: Objects<"Service">;
  readonly pods: Objects<"Pod">;
  readonly nodes: Objects<"Node">;
  readonly slices: Objects<"EndpointSlice">;
  readonly workloadEntries: Objects<"WorkloadEntry">;
}

export function clusterRegistry(objects: ClusterObjects, place: ClusterPlace, namespaces: Namespaces): ClusterRegistry {
  const pods = objects.pods.filter(({ spec }) => spec.phase !== "Failed");
  const slices = groupBy(objects.slices.filter(isServiceSlice), sliceService);
  return {
    place,
    namespaces,
    nodes: new Map(objects.nodes.map((node) => [node.key.name, node])),
    services: new Map(objects.services.map((service) => [objectId(service), service])),
    servicesByNamespace: groupBy(objects.services, namespaceOf),
    pods: trieOf(new Map(pods.map((pod) => [objectId(pod), pod]))),
    podsByAddress: trieOf<Objects<"Pod">>(groupBy(pods.filter(isServing), ({ spec }) => spec.podIP)),
    slices: trieOf<Objects<"EndpointSlice">>(slices),
    slicedBy: trieOf<readonly string[]>(referrers(slices)),
    workloadEntries: trieOf<Objects<"WorkloadEntry">>(groupBy(objects.workloadEntries, namespaceOf)),
  };
}

/** `namespace/name`, unique among objects of a kind in one cluster. */
export function objectId({ key }: SourceObject): string {
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

/** What the endpoints of a slice are explained by: Pods that they name, or the address where they name none. */
export function sliceReferences({ key, spec }: SourceObject<"EndpointSlice">): ReadonlySet<string> {
  const references = new Set<string>();
  for (const { addresses, targetRef } of spec.endpoints) {
    if (targetRef?.kind === "Pod") references.add(`pod/${targetRef.namespace}/${targetRef.name}`);
    else for (const address of addresses) references.add(`address/${key.namespace}/${address}`);
  }
  return references;
}

function referrers(slices: ReadonlyMap<string, Objects<"EndpointSlice">>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [service, members] of slices) {
    for (const reference of new Set(members.flatMap((slice) => [...sliceReferences(slice)]))) {
      const known = found.get(reference);
      if (known === undefined) found.set(reference, [service]);
      else known.push(service);
    }
  }
  return found;
}
