import { memoize } from "#core/lib/memo.ts";
import { lookUp, visit } from "#core/lib/trie.ts";
import type { AddressTarget, PodEntry } from "#core/node/directory.ts";
import { parseLocality } from "#core/node/locality.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { ClusterRegistry } from "./registry.ts";
import { selectingServices } from "./selecting-services.ts";
import { sliceTargets } from "./slice-targets.ts";
import { type ClusterPlace, podFacts } from "./workload-facts.ts";

const NO_TARGETS: readonly AddressTarget[] = [];

/** The entry of one Pod, `namespace/name`. */
export function findPod(id: string, registry: ClusterRegistry, domainSuffix: string): PodEntry | undefined {
  const pod = lookUp(registry.pods, id);
  if (pod === undefined) return undefined;
  return entryOf(pod, registry, isServed(pod, registry.servicesByNamespace) ? NO_TARGETS : sliceTargets(pod, registry, domainSuffix));
}

/** The entries of all Pods of a cluster. Slices are only looked at for Pods that no Service selects: others don't change with them. */
export function podEntries(registry: ClusterRegistry, domainSuffix: string): readonly PodEntry[] {
  const { served, unserved } = splitPods(registry.pods, registry.servicesByNamespace);
  return withUnserved(
    servedEntries(served, registry.nodes, registry.place),
    unserved.map((pod) => entryOf(pod, registry, sliceTargets(pod, registry, domainSuffix))),
  );
}

type Pods = readonly SourceObject<"Pod">[];

const splitPods = memoize(
  (pods: ClusterRegistry["pods"], services: ClusterRegistry["servicesByNamespace"]): { readonly served: Pods; readonly unserved: Pods } => {
    const served: SourceObject<"Pod">[] = [];
    const unserved: SourceObject<"Pod">[] = [];
    visit(pods, (_, pod) => (isServed(pod, services) ? served : unserved).push(pod));
    return { served, unserved };
  },
);

function isServed({ key, labels }: SourceObject<"Pod">, services: ClusterRegistry["servicesByNamespace"]): boolean {
  return selectingServices(services.get(key.namespace) ?? NO_SERVICES, labels).length > 0;
}

const NO_SERVICES: readonly SourceObject<"Service">[] = [];

const servedEntries = memoize((pods: Pods, nodes: ClusterRegistry["nodes"], place: ClusterPlace): readonly PodEntry[] =>
  pods.map((pod) => makeEntry(NO_TARGETS, place, nodes.get(pod.spec.nodeName), pod)),
);

/** The same list for the same entries, so that whoever compares directories sees at once that nothing changed. */
function withUnserved(served: readonly PodEntry[], unserved: readonly PodEntry[]): readonly PodEntry[] {
  if (unserved.length === 0) return served;
  const last = lastJoined.get(served);
  if (last?.unserved.length === unserved.length && last.unserved.every((entry, index) => entry === unserved[index])) return last.all;
  const all = [...served, ...unserved];
  lastJoined.set(served, { unserved, all });
  return all;
}

const lastJoined = new WeakMap<readonly PodEntry[], { readonly unserved: readonly PodEntry[]; readonly all: readonly PodEntry[] }>();

function entryOf(pod: SourceObject<"Pod">, { nodes, place }: ClusterRegistry, targets: readonly AddressTarget[]): PodEntry {
  return makeEntry(targets, place, nodes.get(pod.spec.nodeName), pod);
}

const makeEntry = memoize(
  (targets: readonly AddressTarget[], place: ClusterPlace, node: SourceObject<"Node"> | undefined, pod: SourceObject<"Pod">): PodEntry => {
    const { serviceAccount, network, locality, nodeName, workloadName } = podFacts(place, node, pod);
    return {
      kind: "pod",
      cluster: place.cluster,
      namespace: pod.key.namespace,
      name: pod.key.name,
      addresses: [],
      labels: pod.labels,
      serviceAccount,
      network,
      locality: parseLocality(locality),
      nodeName,
      workloadName,
      containerPorts: pod.spec.containers.flatMap(({ ports }) => ports),
      sliceTargets: targets,
    };
  },
);
