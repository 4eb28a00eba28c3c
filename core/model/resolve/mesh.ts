import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import { type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { NetworkGateway } from "../endpoint.ts";
import type { Mesh } from "../mesh.ts";
import type { MeshConfig } from "../mesh-config.ts";
import { resolveMeshConfig } from "./config/mesh-config.ts";
import type { ClaimedAddresses } from "./endpoints/claimed-addresses.ts";
import { type EndpointState, updateEndpoints } from "./endpoints/endpoint-state.ts";
import { resourceGateways } from "./gateways/gateway-resources.ts";
import { resolveGateways } from "./gateways/gateways.ts";
import { type ClusterNamespaces, clusterNamespaces, istioObjects, objectsByCluster } from "./mesh-objects.ts";
import type { ResolveOptions } from "./options.ts";
import { affectedServices } from "./registry/affected-services.ts";
import type { Namespaces } from "./registry/namespaces.ts";
import { networkGateways } from "./registry/network-gateways.ts";
import { type MeshNetwork, networkRanges, readNetworks } from "./registry/networks.ts";
import { type Registries, updateRegistries } from "./registry/registries.ts";
import { resolveDestinationRules } from "./rules/destination-rules.ts";
import { resolvePeerAuthentications } from "./rules/peer-authentications.ts";
import { resolveSidecars } from "./rules/sidecars.ts";
import { resolveVirtualServices } from "./rules/virtual-services.ts";
import type { Allocations } from "./services/auto-addresses.ts";
import { type ServiceRecords, serviceRecords } from "./services/service-records.ts";

/** A mesh with what it was made of: what workloads and later changes are resolved with. */
export interface ResolvedMesh extends Mesh {
  readonly options: ResolveOptions;
  readonly inventory: Inventory;
  readonly registries: Registries;
  readonly records: ServiceRecords;
  readonly claims: ClaimedAddresses;
}

/**
 * Resolves an inventory into the mesh. Parts that hang on unchanged kinds are found again, not computed; with `previous`, the mesh of an earlier state of
 * the same inventory, so are endpoints that nothing changed.
 */
export function resolveMesh(inventory: Inventory, options: ResolveOptions, previous?: ResolvedMesh): ResolvedMesh {
  const { config, diagnostics } = meshConfig(options.meshConfig as object | undefined, internSuffix({ domainSuffix: options.domainSuffix }));
  const networks = meshNetworks(options.networks as object | undefined);
  const namespaces = clusterNamespaces(inventory, config, options);
  const { registries, moves } = updateRegistries(inventory, { namespaces, config, networks, options }, previous?.registries);
  const peerAuthentications = peers(istioObjects(inventory, "PeerAuthentication", options), config);
  const records = recordsOf(inventory, namespaces, config, options);
  const basis = { records, registries, config, peerAuthentications };
  const known = previous && stateOf(previous);
  const state = updateEndpoints(basis, affectedServices(known?.basis, basis, moves), known);
  return {
    config,
    options,
    inventory,
    registries,
    records,
    services: records.services,
    endpoints: state.endpoints,
    facts: state.facts,
    claims: state.claims,
    virtualServices: virtualServices(istioObjects(inventory, "VirtualService", options), config),
    gateways: gateways(istioObjects(inventory, "Gateway", options), config),
    destinationRules: destinationRules(istioObjects(inventory, "DestinationRule", options), config),
    sidecars: sidecars(istioObjects(inventory, "Sidecar", options), config),
    peerAuthentications,
    networkGateways: internGateways(networkGateways(networks, registries.clusters, resourcesOf(inventory, options))),
    networkRanges: networkRanges(networks),
    diagnostics,
  };
}

function resourcesOf(inventory: Inventory, { configCluster }: ResolveOptions): (cluster: string) => readonly NetworkGateway[] {
  const resources = objectsOf(inventory, "KubernetesGateway");
  return (cluster) => resourceGateways(resources, internOwner({ cluster, configured: cluster === configCluster }));
}

const internOwner = interner<{ readonly cluster: string; readonly configured: boolean }>();

/** What an earlier mesh knew of endpoints. */
function stateOf(mesh: ResolvedMesh): EndpointState {
  const { records, registries, config, peerAuthentications, endpoints, facts, claims } = mesh;
  return { basis: { records, registries, config, peerAuthentications }, endpoints, facts, claims };
}

const internSuffix = interner<{ readonly domainSuffix: string }>();
const meshConfig = memoize((raw: object | undefined, { domainSuffix }: { readonly domainSuffix: string }) => resolveMeshConfig(raw, domainSuffix));
const meshNetworks = memoize((raw: object | undefined): readonly MeshNetwork[] => readNetworks(raw));
const peers = memoize(resolvePeerAuthentications);
const virtualServices = memoize(resolveVirtualServices);
const gateways = memoize(resolveGateways);
const destinationRules = memoize(resolveDestinationRules);
const sidecars = memoize(resolveSidecars);

function recordsOf(inventory: Inventory, namespaces: ClusterNamespaces, config: MeshConfig, options: ResolveOptions): ServiceRecords {
  const services = objectsByCluster(inventory, "Service", namespaces);
  return records(services, istioObjects(inventory, "ServiceEntry", options), namespaces, recordsBasis(config, options.allocations ?? NO_ALLOCATIONS));
}

const NO_ALLOCATIONS: Allocations = {};
const recordsBasis = memoize((config: MeshConfig, allocations: Allocations) => ({ config, allocations }));

const records = memoize(
  (
    services: ReadonlyMap<string, readonly SourceObject<"Service">[]>,
    entries: readonly SourceObject<"ServiceEntry">[],
    clusters: ClusterNamespaces,
    basis: { readonly config: MeshConfig; readonly allocations: Allocations },
  ): ServiceRecords => {
    const members = [...clusters].flatMap(([cluster, names]) => (services.get(cluster) ?? []).map((service) => [service, names] as const));
    const namespaces = [...clusters.values()][0] as Namespaces;
    return serviceRecords(members, entries, { ...basis, namespaces });
  },
);

/** Gateways keep their identity as long as they are the same: nearly every load assignment reads them. */
const internGateways = interner<readonly NetworkGateway[]>();
