import { compareText } from "#core/lib/compare.ts";
import { equalValues } from "#core/lib/equality.ts";
import { keyed } from "#core/lib/keyed.ts";
import { isSelected } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { placeIn } from "#core/lib/place-in.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { AddressTarget, PodEntry } from "#core/node/directory.ts";

import { type Locality, parseLocality } from "#core/node/locality.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { findPod, objectId, type PodEntries, type PodRegistry, podsInOrder, sliceService } from "../registry/registry.ts";
import { selectingServices } from "../registry/selecting-services.ts";
import { type ClusterPlace, podFacts } from "../registry/workload-facts.ts";
import { sliceTargets } from "./slice-targets.ts";

const NO_TARGETS: readonly AddressTarget[] = [];
const NO_SERVICES: readonly SourceObject<"Service">[] = [];

/** The entries of Pods that are made when somebody asks: one by one for nodes, all of them for an edition. Those that `before` has the same stay. */
export function podEntries(registry: PodRegistry, before: readonly PodEntry[] = NO_ENTRIES): PodEntries {
  const single = new Map<string, PodEntry>();
  /** Undefined once everything is made: what a registry was is not held for longer. */
  let source: { readonly registry: PodRegistry; readonly before: readonly PodEntry[] } | undefined = { registry, before };
  let list = NO_ENTRIES;
  const make = (pod: SourceObject<"Pod">, from: NonNullable<typeof source>): PodEntry =>
    kept(podEntry(pod, from.registry), findEntry(from.before, pod.key.namespace, pod.key.name));
  return {
    all: () => {
      if (source !== undefined) {
        const from = source;
        list = podsInOrder(from.registry.podsByNamespace).map(
          (pod) => (single.size === 0 ? undefined : single.get(objectId(pod))) ?? make(pod, from),
        );
        source = undefined;
        single.clear();
      }
      return list;
    },
    find: (namespace, name) => {
      if (source === undefined) return findEntry(list, namespace, name);
      const id = `${namespace}/${name}`;
      const known = single.get(id);
      const pod = known === undefined ? findPod(source.registry, namespace, name) : undefined;
      if (pod === undefined) return known;
      const entry = make(pod, source);
      single.set(id, entry);
      return entry;
    },
    made: () => (source === undefined ? list : [...single.values()].sort((a, b) => byPlace(a, b.namespace, b.name))),
    isComplete: () => source === undefined,
  };
}

const NO_ENTRIES: readonly PodEntry[] = [];

/** Entries that all exist. */
function listedEntries(list: readonly PodEntry[]): PodEntries {
  return { all: () => list, find: (namespace, name) => findEntry(list, namespace, name), made: () => list, isComplete: () => true };
}

function findEntry(entries: readonly PodEntry[], namespace: string, name: string): PodEntry | undefined {
  const { index, found } = placeOf(entries, namespace, name);
  return found ? entries[index] : undefined;
}

/** A Pod's entry in the directory. Its slices count only where no Service selects it. */
function podEntry(pod: SourceObject<"Pod">, registry: PodRegistry): PodEntry {
  const targets = isServed(pod, registry) ? NO_TARGETS : sliceTargets(pod, registry);
  return makeEntry(pod, targets, registry);
}

function kept(entry: PodEntry, before: PodEntry | undefined): PodEntry {
  return before !== undefined && equalValues(before, entry) ? before : entry;
}

/** The entries after some Pods, and slices of some Pods, changed. */
export function patchPodEntries(before: PodEntries, registry: PodRegistry, pods: Iterable<string>): PodEntries {
  if (!before.isComplete()) return podEntries(registry, before.made());
  const entries = before.all();
  const patched = patchList(entries, registry, pods);
  return patched === entries ? before : listedEntries(patched);
}

function patchList(entries: readonly PodEntry[], registry: PodRegistry, pods: Iterable<string>): readonly PodEntry[] {
  let patched: PodEntry[] | undefined;
  for (const id of pods) {
    const slash = id.indexOf("/");
    const [namespace, name] = [id.slice(0, slash), id.slice(slash + 1)];
    const pod = findPod(registry, namespace, name);
    const { index, found } = placeOf(patched ?? entries, namespace, name);
    const before = found ? (patched ?? entries)[index] : undefined;
    const after = pod && kept(podEntry(pod, registry), before);
    if (before === after) continue;
    patched ??= [...entries];
    patched.splice(index, found ? 1 : 0, ...(after === undefined ? [] : [after]));
  }
  return patched ?? entries;
}

/** Pods, as `namespace/name`, whose entries a slice may decide: those that it names although its Service doesn't select them. */
export function podsOfSlice(slice: SourceObject<"EndpointSlice">, registry: PodRegistry): readonly string[] {
  const service = registry.services.get(sliceService(slice));
  const { namespace } = slice.key;
  const found: string[] = [];
  for (const { targetRef, addresses } of slice.spec.endpoints) {
    if (targetRef?.kind === "Pod") {
      const pod = service && findPod(registry, targetRef.namespace, targetRef.name);
      if (pod === undefined || !isSelected(service?.spec.selector ?? {}, pod.labels)) found.push(`${targetRef.namespace}/${targetRef.name}`);
    } else {
      const own = (lookUp(registry.podsByNamespace, namespace) ?? []).filter(({ spec }) => addresses.includes(spec.podIP));
      found.push(...own.map(({ key }) => `${key.namespace}/${key.name}`));
    }
  }
  return found;
}

/** Does a Service select the Pod? */
function isServed({ key, labels }: SourceObject<"Pod">, registry: PodRegistry): boolean {
  return selectingServices(registry.servicesByNamespace.get(key.namespace) ?? NO_SERVICES, labels).length > 0;
}

function makeEntry(pod: SourceObject<"Pod">, targets: readonly AddressTarget[], { place, nodes }: PodRegistry): PodEntry {
  const { serviceAccount, network, locality, nodeName, workloadName } = podFacts(pod, place, nodes.get(pod.spec.nodeName));
  const { containers } = pod.spec;
  // In order of the keys, as objects of sources are: see core/lib/canonical.ts.
  return {
    addresses: NO_ADDRESSES,
    cluster: place.cluster,
    containerPorts: containers.length === 1 && containers[0] !== undefined ? containers[0].ports : containers.flatMap(({ ports }) => ports),
    kind: "pod",
    labels: pod.labels,
    locality: localities(place)(locality, () => parseLocality(locality)),
    name: pod.key.name,
    namespace: pod.key.namespace,
    network,
    nodeName,
    serviceAccount,
    sliceTargets: targets,
    workloadName,
  };
}

const NO_ADDRESSES: readonly string[] = [];
/** Localities are few, Pods many. */
const localities = memoize((_place: ClusterPlace) => keyed<Locality>());

function placeOf(entries: readonly PodEntry[], namespace: string, name: string): { readonly index: number; readonly found: boolean } {
  return placeIn(entries, (entry) => byPlace(entry, namespace, name));
}

function byPlace(entry: PodEntry, namespace: string, name: string): number {
  return compareText(entry.namespace, namespace) || compareText(entry.name, name);
}
