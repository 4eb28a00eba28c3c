import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import { interner } from "#core/lib/intern.ts";
import type { LabelSelector } from "#core/lib/label-selector.ts";
import { memoize } from "#core/lib/memo.ts";
import { type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { MeshConfig } from "../mesh-config.ts";
import type { ResolveOptions } from "./options.ts";
import { type Namespaces, namespacesOf } from "./registry/namespaces.ts";

/** The namespaces of each cluster, the config cluster first, the others by name. */
export type ClusterNamespaces = ReadonlyMap<string, Namespaces>;

const NO_SELECTORS: readonly LabelSelector[] = [];
const internNames = interner<readonly string[]>();

/** The namespaces of each cluster that objects come from. */
export function clusterNamespaces(inventory: Inventory, config: MeshConfig, options: ResolveOptions): ClusterNamespaces {
  return namespacesByCluster(clusterNames(inventory, options), objectsOf(inventory, "Namespace"), config.discoverySelectors ?? NO_SELECTORS);
}

const namespacesByCluster = memoize(
  (clusters: readonly string[], objects: readonly SourceObject<"Namespace">[], selectors: readonly LabelSelector[]): ClusterNamespaces =>
    new Map(clusters.map((cluster) => [cluster, namespacesOf(objects, selectors, cluster)])),
);

/** Clusters that objects come from; the config cluster always is one. */
function clusterNames(inventory: Inventory, { configCluster }: ResolveOptions): readonly string[] {
  const found = new Set(CLUSTER_KINDS.flatMap((kind) => clustersOf(objectsOf(inventory, kind))));
  found.delete(configCluster);
  return internNames([configCluster, ...[...found].sort(compareText)]);
}

/** A cluster without any of these has nothing to say. */
const CLUSTER_KINDS = ["Service", "Pod", "Node", "Namespace"] as const;

/** The clusters of a shelf: its objects are sorted by them, so that it need not be read as a whole. */
function clustersOf(objects: readonly SourceObject[]): readonly string[] {
  const found: string[] = [];
  for (let start = 0; start < objects.length; start = endOfCluster(objects, start)) found.push((objects[start] as SourceObject).key.cluster);
  return found;
}

function endOfCluster(objects: readonly SourceObject[], start: number): number {
  const cluster = objects[start]?.key.cluster;
  let low = start + 1;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (objects[middle]?.key.cluster === cluster) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Objects of a kind in discovered namespaces, by cluster. */
export function objectsByCluster<K extends Kind>(
  inventory: Inventory,
  kind: K,
  namespaces: ClusterNamespaces,
): ReadonlyMap<string, readonly SourceObject<K>[]> {
  return split(objectsOf(inventory, kind), namespaces) as ReadonlyMap<string, readonly SourceObject<K>[]>;
}

const split = memoize(
  (objects: readonly SourceObject[], namespaces: ClusterNamespaces): ReadonlyMap<string, readonly SourceObject[]> =>
    groupBy(
      objects.filter(({ key }) => namespaces.get(key.cluster)?.isDiscovered(key.namespace) ?? false),
      ({ key }) => key.cluster,
    ),
);

/** WorkloadEntries by cluster: as Istio objects they don't ask for discovery, but every cluster has its own. */
export function workloadEntriesByCluster(
  inventory: Inventory,
  options: ResolveOptions,
): ReadonlyMap<string, readonly SourceObject<"WorkloadEntry">[]> {
  return entriesByCluster(objectsOf(inventory, "WorkloadEntry"), selection(options));
}

const entriesByCluster = memoize((entries: readonly SourceObject<"WorkloadEntry">[], options: Selection) =>
  groupBy(
    entries.filter((entry) => isOfRevision(entry, options)),
    ({ key }) => key.cluster,
  ),
);

/**
 * Istio objects that count: those of the config cluster, and of this revision or of none (istio `pkg/config/model.go` LabelsInRevision).
 * Those of namespaces that are not discovered count too.
 */
export function istioObjects<K extends Kind>(inventory: Inventory, kind: K, options: ResolveOptions): readonly SourceObject<K>[] {
  return inRevision(objectsOf(inventory, kind), selection(options)) as readonly SourceObject<K>[];
}

type Selection = Pick<ResolveOptions, "configCluster" | "revision">;
const internSelection = interner<Selection>();

const selection = memoize(({ configCluster, revision = "" }: ResolveOptions): Selection => internSelection({ configCluster, revision }));

const inRevision = memoize((objects: readonly SourceObject[], options: Selection): readonly SourceObject[] =>
  objects.filter((object) => object.key.cluster === options.configCluster && isOfRevision(object, options)),
);

/** Is it of this revision, or of none? */
export function isOfRevision({ labels }: SourceObject, { revision = "" }: Selection): boolean {
  return revision === "" || (labels["istio.io/rev"] ?? revision) === revision;
}
