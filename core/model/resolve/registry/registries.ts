import { equalLists } from "#core/lib/equality.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import { type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { MeshConfig } from "../../mesh-config.ts";
import { type ClusterNamespaces, isOfRevision, objectsByCluster, workloadEntriesByCluster } from "../mesh-objects.ts";
import type { ResolveOptions } from "../options.ts";
import { patchPodEntries, podEntries, podsOfSlice } from "../workloads/directory-pods.ts";
import { type ClusterNetwork, clusterNetwork, type MeshNetwork } from "./networks.ts";
import { patchEntries, patchPods, patchSlices } from "./patch-registry.ts";
import { type ClusterRegistry, entryIndexes, nodeIndex, objectId, podIndexes, serviceIndexes, sliceIndexes } from "./registry.ts";
import { filterMoved, type Moved, type WorkloadChanges, type WorkloadKind, workloadChanges } from "./workload-changes.ts";
import type { ClusterPlace } from "./workload-facts.ts";

/** Registries of all clusters, the config cluster first, and what they were made of. */
export interface Registries {
  readonly inventory: Inventory;
  readonly basis: RegistryBasis;
  readonly clusters: readonly ClusterRegistry[];
}

/** What registries are built with beside the inventory. */
export interface RegistryBasis {
  readonly namespaces: ClusterNamespaces;
  readonly config: MeshConfig;
  readonly networks: readonly MeshNetwork[];
  readonly options: ResolveOptions;
}

/** Registries, and what of them changed. */
export interface RegistryUpdate {
  readonly registries: Registries;
  /** Workload objects that moved, and Services whose slices tell of them; undefined where anything may be different. */
  readonly moves: RegistryMoves | undefined;
}

export interface RegistryMoves {
  readonly changes: WorkloadChanges;
  /** Services as `namespace/name`. */
  readonly services: ReadonlySet<string>;
}

/** Beyond this many changed objects of a kind, indexes are built anew instead of patched. */
const PATCH_LIMIT = 500;

/** The registries of an inventory; with those of an earlier state of it, indexes are patched where only workloads moved. */
export function updateRegistries(inventory: Inventory, basis: RegistryBasis, previous?: Registries): RegistryUpdate {
  const changes = previous && canPatch(previous, basis) ? workloadChanges(previous.inventory, inventory) : undefined;
  if (
    previous === undefined ||
    changes === undefined ||
    Object.values(changes).some(({ arrived, left }) => arrived.length + left.length > PATCH_LIMIT)
  ) {
    const clusters = [...basis.namespaces.keys()].map((cluster) => buildRegistry(cluster, inventory, basis));
    return { registries: { inventory, basis, clusters }, moves: undefined };
  }
  const services = new Set<string>();
  const patched = previous.clusters.map((registry) => patchRegistry(registry, { inventory, basis, changes, previous }, services));
  const clusters = equalLists(previous.clusters, patched) ? previous.clusters : patched;
  const sameNodes = objectsOf(previous.inventory, "Node") === objectsOf(inventory, "Node");
  return { registries: { inventory, basis, clusters }, moves: sameNodes ? { changes, services } : undefined };
}

/** Objects are judged as before: same namespaces, settings, networks and revision. */
function canPatch({ basis: before }: Registries, after: RegistryBasis): boolean {
  const { configCluster, revision } = before.options;
  const sameSelection = configCluster === after.options.configCluster && revision === after.options.revision;
  return sameSelection && before.namespaces === after.namespaces && before.networks === after.networks && before.config === after.config;
}

function buildRegistry(cluster: string, inventory: Inventory, basis: RegistryBasis): ClusterRegistry {
  const own = <K extends "Service" | "Node" | "Pod" | "EndpointSlice">(kind: K): readonly SourceObject<K>[] =>
    objectsByCluster(inventory, kind, basis.namespaces).get(cluster) ?? [];
  const registry = {
    place: placeOf(cluster, basis),
    namespaces: basis.namespaces.get(cluster) as ClusterRegistry["namespaces"],
    ...serviceIndexes(own("Service")),
    ...nodeIndex(own("Node")),
    ...podIndexes(own("Pod")),
    ...sliceIndexes(own("EndpointSlice")),
    ...entryIndexes(workloadEntriesByCluster(inventory, basis.options).get(cluster) ?? []),
  };
  return { ...registry, podEntries: podEntries(registry) };
}

interface Patch {
  readonly inventory: Inventory;
  readonly basis: RegistryBasis;
  readonly changes: WorkloadChanges;
  readonly previous: Registries;
}

/** Adds to `touched` the Services whose slices, or whose slices' Pods, moved. */
function patchRegistry(registry: ClusterRegistry, patch: Patch, touched: Set<string>): ClusterRegistry {
  const { inventory, basis, changes } = patch;
  const { cluster } = registry.place;
  const ownChanges = <K extends WorkloadKind>(moved: Moved<K>): Moved<K> =>
    filterMoved(moved, ({ key }) => key.cluster === cluster && registry.namespaces.isDiscovered(key.namespace));
  const own = <K extends "Service" | "Node">(kind: K): readonly SourceObject<K>[] =>
    objectsByCluster(inventory, kind, basis.namespaces).get(cluster) ?? [];
  const slices = ownChanges(changes.EndpointSlice);
  const pods = ownChanges(changes.Pod);
  const entries = filterMoved(changes.WorkloadEntry, (entry) => entry.key.cluster === cluster && isOfRevision(entry, basis.options));
  const sameIndexes = isSame("Service", patch) && isSame("Node", patch);
  if (sameIndexes && [slices, pods, entries].every(({ left, arrived }) => left.length + arrived.length === 0)) return registry;
  const base = {
    ...registry,
    ...(isSame("Service", patch) ? {} : serviceIndexes(own("Service"))),
    ...(isSame("Node", patch) ? {} : nodeIndex(own("Node"))),
  };
  const withSlices = patchSlices(base, slices);
  const withPods = patchPods(withSlices.registry, pods);
  for (const service of [...withSlices.services, ...withPods.services]) touched.add(service);
  const after = patchEntries(withPods.registry, entries);
  if (!sameIndexes) return { ...after, podEntries: podEntries(after, registry.podEntries.made()) };
  const named = [...slices.left, ...slices.arrived].flatMap((slice) => podsOfSlice(slice, after));
  const moved = [...pods.left, ...pods.arrived].map(objectId);
  return { ...after, podEntries: patchPodEntries(registry.podEntries, after, new Set([...moved, ...named])) };
}

function isSame(kind: "Service" | "Node", { inventory, previous }: Patch): boolean {
  return objectsOf(previous.inventory, kind) === objectsOf(inventory, kind);
}

function placeOf(cluster: string, { namespaces, networks, config }: RegistryBasis): ClusterPlace {
  const name = internPlace({ cluster, namespaceLabel: namespaces.get(cluster)?.find(config.rootNamespace)?.labels[NETWORK_LABEL] ?? "" });
  return clusterPlace(config, clusterNetwork(networks, name), name);
}

interface PlaceName {
  readonly cluster: string;
  readonly namespaceLabel: string;
}
const internPlace = interner<PlaceName>();

const clusterPlace = memoize(
  (config: MeshConfig, network: ClusterNetwork, { cluster }: PlaceName): ClusterPlace => ({
    cluster,
    trustDomain: config.trustDomain,
    domainSuffix: config.domainSuffix,
    network,
  }),
);
