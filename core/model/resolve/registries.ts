import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import { type Inventory, objectsOf } from "#core/sources/inventory.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import type { MeshConfig } from "../mesh-config.ts";
import { type ClusterNamespaces, objectsByCluster, workloadEntriesByCluster } from "./mesh-objects.ts";
import { type ClusterNetwork, clusterNetwork, type MeshNetwork } from "./networks.ts";
import type { ResolveOptions } from "./options.ts";
import { type ClusterRegistry, entryIndexes, nodeIndex, podIndexes, serviceIndexes, sliceIndexes } from "./registry.ts";
import type { ClusterPlace } from "./workload-facts.ts";

/** Registries of all clusters, the config cluster first, and the inventory that they were made of. */
export interface Registries {
  readonly inventory: Inventory;
  readonly namespaces: ClusterNamespaces;
  readonly clusters: readonly ClusterRegistry[];
}

/** Kinds whose objects the registries index. */
export const REGISTRY_KINDS = ["Service", "Pod", "Node", "EndpointSlice", "WorkloadEntry"] as const;
type RegistryKind = (typeof REGISTRY_KINDS)[number];

/** Builds the registries; indexes of kinds that did not change since `previous` are kept. */
export function registries(
  inventory: Inventory,
  namespaces: ClusterNamespaces,
  basis: { readonly config: MeshConfig; readonly networks: readonly MeshNetwork[]; readonly options: ResolveOptions },
  previous?: Registries,
): Registries {
  const kept = previous?.namespaces === namespaces ? previous : undefined;
  const isKept = (kind: RegistryKind): boolean => kept !== undefined && objectsOf(kept.inventory, kind) === objectsOf(inventory, kind);
  const clusters = [...namespaces].map(([cluster, names]): ClusterRegistry => {
    const before = kept?.clusters.find(({ place }) => place.cluster === cluster);
    const reuse = (kind: RegistryKind): ClusterRegistry | undefined => (isKept(kind) ? before : undefined);
    const own = <K extends RegistryKind>(kind: K) => objectsByCluster(inventory, kind, namespaces).get(cluster) ?? [];
    const namespaceLabel = names.labels(basis.config.rootNamespace)[NETWORK_LABEL] ?? "";
    const fresh: ClusterRegistry = {
      place: clusterPlace(basis.config, clusterNetwork(basis.networks, internPlace({ cluster, namespaceLabel })), internPlace({ cluster, namespaceLabel })),
      namespaces: names,
      ...pick(reuse("Service"), ["services", "servicesByNamespace"], () => serviceIndexes(own("Service"))),
      ...pick(reuse("Node"), ["nodes"], () => nodeIndex(own("Node"))),
      ...pick(reuse("Pod"), ["pods", "podsByAddress", "podsByNamespace"], () => podIndexes(own("Pod"))),
      ...pick(reuse("EndpointSlice"), ["slices", "slicedBy"], () => sliceIndexes(own("EndpointSlice"))),
      ...pick(reuse("WorkloadEntry"), ["workloadEntries", "workloadEntriesByAddress"], () => entryIndexes(workloadEntriesByCluster(inventory, basis.options).get(cluster) ?? [])),
    };
    return before !== undefined && sameFields(before, fresh) ? before : fresh;
  });
  return { inventory, namespaces, clusters };
}

interface PlaceName {
  readonly cluster: string;
  readonly namespaceLabel: string;
}
const internPlace = interner<PlaceName>();

const clusterPlace = memoize(
  (config: MeshConfig, network: ClusterNetwork, { cluster }: PlaceName): ClusterPlace => ({ cluster, trustDomain: config.trustDomain, network }),
);

function pick<K extends keyof ClusterRegistry>(kept: ClusterRegistry | undefined, keys: readonly K[], make: () => Pick<ClusterRegistry, K>): Pick<ClusterRegistry, K> {
  return kept === undefined ? make() : (Object.fromEntries(keys.map((key) => [key, kept[key]])) as Pick<ClusterRegistry, K>);
}

function sameFields(a: ClusterRegistry, b: ClusterRegistry): boolean {
  return (Object.keys(b) as (keyof ClusterRegistry)[]).every((key) => a[key] === b[key]);
}
