import { compareText } from "#core/lib/compare.ts";
import { placeIn } from "#core/lib/place-in.ts";
import { change, isUnread, lookUp, type TrieNode } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { addressIndex, type ClusterRegistry, isKnownPod, isServiceSlice, sliceReferences, sliceService, slicingServices } from "./registry.ts";
import type { Moved, WorkloadKind } from "./workload-changes.ts";
import { isServing } from "./workload-instance.ts";

/** The slice indexes after some slices came and went, and the services (`namespace/name`) that they belong to. */
export function patchSlices(registry: ClusterRegistry, { left, arrived }: Moved<"EndpointSlice">): Patched {
  const gone = left.filter(isServiceSlice);
  const come = arrived.filter(isServiceSlice);
  const slices = patchLists(registry.slices, { left: gone, arrived: come }, sliceService);
  const services = new Set([...gone, ...come].map(sliceService));
  const referrers = new Map<string, readonly string[] | undefined>();
  for (const service of services) {
    const before = references(lookUp(registry.slices, service));
    const after = references(lookUp(slices, service));
    const known = (reference: string): readonly string[] =>
      (referrers.has(reference) ? referrers.get(reference) : lookUp(registry.slicedBy, reference)) ?? [];
    for (const reference of before) if (!after.has(reference)) referrers.set(reference, filled(known(reference).filter((one) => one !== service)));
    for (const reference of after) if (!before.has(reference)) referrers.set(reference, [...known(reference), service].sort(compareText));
  }
  return { registry: { ...registry, slices, slicedBy: change(registry.slicedBy, referrers) }, services };
}

/** Pods likewise: services are those whose slices name a Pod that moved, or its address. */
export function patchPods(registry: ClusterRegistry, { left, arrived }: Moved<"Pod">): Patched {
  const gone = left.filter(isKnownPod);
  const come = arrived.filter(isKnownPod);
  const services = [...gone, ...come].flatMap((pod) => slicingServices(registry, pod));
  const podsByNamespace = patchLists(registry.podsByNamespace, { left: gone, arrived: come }, ({ key }) => key.namespace);
  return {
    registry: {
      ...registry,
      podsByNamespace,
      podsByAddress: isUnread(registry.podsByAddress)
        ? addressIndex(podsByNamespace)
        : patchLists(registry.podsByAddress, { left: gone.filter(isServing), arrived: come.filter(isServing) }, ({ spec }) => spec.podIP),
    },
    services: new Set(services),
  };
}

/** WorkloadEntries likewise; which Services they join is for whoever knows selectors. */
export function patchEntries(registry: ClusterRegistry, moved: Moved<"WorkloadEntry">): ClusterRegistry {
  return {
    ...registry,
    workloadEntries: patchLists(registry.workloadEntries, moved, ({ key }) => key.namespace),
    workloadEntriesByAddress: patchLists(registry.workloadEntriesByAddress, moved, ({ spec }) => spec.entry.address),
  };
}

interface Patched {
  readonly registry: ClusterRegistry;
  readonly services: ReadonlySet<string>;
}

function references(slices: readonly SourceObject<"EndpointSlice">[] | undefined): ReadonlySet<string> {
  return new Set((slices ?? []).flatMap((slice) => [...sliceReferences(slice)]));
}

/** Lists of objects in order of namespace and name, under a key that each object has. */
function patchLists<K extends WorkloadKind>(
  lists: TrieNode<readonly SourceObject<K>[]>,
  { left, arrived }: Moved<K>,
  keyOf: (object: SourceObject<K>) => string,
): TrieNode<readonly SourceObject<K>[]> {
  const edits = new Map<string, readonly SourceObject<K>[]>();
  const listAt = (key: string): readonly SourceObject<K>[] => edits.get(key) ?? lookUp(lists, key) ?? [];
  for (const object of left) {
    const key = keyOf(object);
    const list = listAt(key);
    const index = list.indexOf(object);
    if (index >= 0) edits.set(key, list.toSpliced(index, 1));
  }
  for (const object of arrived) {
    const key = keyOf(object);
    const list = listAt(key);
    edits.set(key, list.toSpliced(insertAt(list, object), 0, object));
  }
  return change(lists, new Map([...edits].map(([key, list]) => [key, filled(list)])));
}

function insertAt(list: readonly SourceObject[], { key }: SourceObject): number {
  return placeIn(list, (other) => compareText(other.key.namespace, key.namespace) || compareText(other.key.name, key.name)).index;
}

/** An empty list is no list. */
function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
