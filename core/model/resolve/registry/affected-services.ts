import { equalLists } from "#core/lib/equality.ts";
import { isSubset } from "#core/lib/labels.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { EndpointBasis } from "../endpoints/endpoint-state.ts";
import { kubeHost } from "../services/kube-services.ts";
import type { EntryClaim, ServiceRecords } from "../services/service-records.ts";
import type { RegistryMoves } from "./registries.ts";
import type { ClusterRegistry } from "./registry.ts";
import { selectingServices } from "./selecting-services.ts";
import { entryInstance, podInstance, type WorkloadInstance } from "./workload-instance.ts";

/** Keys of the services whose endpoints may be different since `before`; all of them where that is not known. */
export function affectedServices(before: EndpointBasis | undefined, after: EndpointBasis, moves: RegistryMoves | undefined): readonly string[] {
  const all = after.records.byKey;
  if (before === undefined || moves === undefined || before.peerAuthentications !== after.peerAuthentications) {
    return before === undefined ? [...all.keys()] : [...new Set([...all.keys(), ...before.records.byKey.keys()])];
  }
  return [...new Set([...movedKeys(after, moves), ...(before.records === after.records ? [] : changedKeys(before, after))])];
}

/** Services whose own objects changed. */
function changedKeys(before: EndpointBasis, after: EndpointBasis): readonly string[] {
  const gone = [...before.records.byKey.keys()].filter((key) => !after.records.byKey.has(key));
  return [...gone, ...[...after.records.byKey.keys()].filter((key) => !isMadeOfSame(key, before, after))];
}

function isMadeOfSame(key: string, before: EndpointBasis, after: EndpointBasis): boolean {
  const name = after.records.kubeNames.get(key);
  return (
    sameList(before.records.byKey.get(key), after.records.byKey.get(key)) &&
    sameClaims(before.records.claims.get(key), after.records.claims.get(key)) &&
    (name === undefined ||
      after.registries.clusters.every(({ services }, index) => services.get(name) === before.registries.clusters[index]?.services.get(name)))
  );
}

function sameList<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equalLists(a, b));
}

function sameClaims(a: readonly EntryClaim[] | undefined, b: readonly EntryClaim[] | undefined): boolean {
  return sameList(
    a?.map(({ entry }) => entry),
    b?.map(({ entry }) => entry),
  );
}

/** Services that slices, Pods or WorkloadEntries give other endpoints than before. */
function movedKeys({ records, registries, config }: EndpointBasis, { changes, services }: RegistryMoves): readonly string[] {
  const keyOf = (id: string): string => {
    const slash = id.indexOf("/");
    const namespace = id.slice(0, slash);
    return `${namespace}/${kubeHost(id.slice(slash + 1), namespace, config.domainSuffix)}`;
  };
  const found = new Set([...services].map(keyOf));
  const registryOf = (object: SourceObject): ClusterRegistry | undefined =>
    registries.clusters.find(({ place }) => place.cluster === object.key.cluster);
  for (const pod of [...changes.Pod.left, ...changes.Pod.arrived]) {
    const registry = registryOf(pod);
    if (registry !== undefined) addSelecting(podInstance(registry.place, registry.nodes.get(pod.spec.nodeName), pod), records, found);
  }
  for (const entry of [...changes.WorkloadEntry.left, ...changes.WorkloadEntry.arrived]) {
    const registry = registryOf(entry);
    const instance = registry && entryInstance(registry.place, entry);
    if (registry === undefined || instance === undefined) continue;
    addSelecting(instance, records, found);
    const selecting = selectingServices(registry.servicesByNamespace.get(instance.namespace) ?? [], instance.facts.labels);
    for (const { key } of selecting) found.add(keyOf(`${key.namespace}/${key.name}`));
  }
  return [...found].filter((key) => records.byKey.has(key));
}

/** ServiceEntries that select a workload of their namespace. */
function addSelecting({ namespace, facts }: WorkloadInstance, { selectingEntries }: ServiceRecords, found: Set<string>): void {
  for (const { key, labels } of selectingEntries.get(namespace) ?? []) if (isSubset(labels, facts.labels)) found.add(key);
}
