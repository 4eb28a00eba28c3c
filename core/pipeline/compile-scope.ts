import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Sidecar } from "#core/model/sidecar.ts";
import { layerKey } from "#core/node/place.ts";
import type { ScopePlacement } from "#core/node/placement.ts";
import type { Reads, ScopeReads } from "#core/node/rules.ts";
import { defaultEndpoint } from "#core/translate/clusters/default-endpoint.ts";
import { outboundClusters, sniDnatOutboundClusters } from "#core/translate/clusters.ts";
import { endpointAddresses, outboundListeners, outboundRoutes } from "#core/translate/listeners.ts";
import { nameTable, readsEndpoints } from "#core/translate/name-table.ts";
import { plaintextOutbound } from "#core/translate/plaintext.ts";
import { routeConfiguration } from "#core/translate/routes.ts";
import type { Assignments } from "./assignments.ts";
import { grpcScope, isProxyless } from "./compile-grpc.ts";
import type { RenderedLayer } from "./rendered-layer.ts";
import { type ScopeContext, scopeContext } from "./scope-context.ts";
import { itemGroups, ownItems, type VantageItem } from "./vantage-items.ts";
import { sidecarOf } from "./views.ts";

/** Names that a scope's own vantage layers hold, by what they read. */
export interface OwnGroup {
  readonly reads: Reads;
  readonly items: readonly VantageItem[];
}

/** What placement and the layers of a scope need of it. */
export interface PreparedScope {
  readonly key: string;
  readonly context: ScopeContext;
  readonly own: ReadonlyMap<string, OwnGroup>;
  readonly reads: ScopeReads;
}

/** Finds out what a scope sees and what its objects read, before anything is made of it. */
export function prepareScope(mesh: ResolvedMesh, placement: ScopePlacement, general: Assignments): PreparedScope {
  const context = scopeContext(mesh, placement);
  const { scope, listeners } = context;
  const { dnsCapture } = placement.features;
  const proxyless = isProxyless(placement);
  const own = itemGroups(ownItems({ ...context, addresses: listeners.addresses, dnsCapture, inline: !proxyless }, general));
  return {
    key: layerKey("scope", placement),
    context,
    own,
    reads: {
      vantage: [...own.values()].map(({ reads }) => reads),
      ownAddressListeners: placement.type === "router" || proxyless ? [] : endpointAddresses(scope, listeners),
      // A gRPC server may listen at its own address as well as on all.
      bindsOwnAddress: proxyless || (sidecarOf(mesh, placement)?.ingress.some((listener) => readsOwnAddress(listener, placement)) ?? false),
    },
  };
}

/** A scope layer: clusters without hosts of their own, routes, listeners that name no workload, the name table where it reads no endpoints. */
export function compileScope({ context }: PreparedScope): RenderedLayer {
  const { placement, scope, clusters, listeners, endpoints, importers: existence } = context;
  if (isProxyless(placement))
    return { contents: { resources: grpcScope(context), existence }, diagnostics: plaintextOutbound(scope.services, clusters) };
  const named = placement.features.dnsCapture && !readsEndpoints(scope);
  return {
    contents: {
      resources: [
        ...outboundClusters(scope, clusters),
        ...(endpoints.serverNames ? sniDnatOutboundClusters(scope, clusters) : []),
        ...(placement.type === "router" ? [] : egressOf(context)),
        ...(named ? [nameTable(scope, { ...listeners.addresses, network: "", endpointsOf: () => undefined })] : []),
      ],
      existence,
    },
    diagnostics: plaintextOutbound(scope.services, clusters),
  };
}

/** Outbound listeners, and the route configurations that they and those with a workload's names ask for. A router has listeners for others instead. */
function egressOf({ scope, listeners: settings, frame, routes }: ScopeContext): readonly Resource[] {
  const input = { scope, settings, frame };
  return [...outboundListeners(input), ...outboundRoutes(input).map((name) => routeConfiguration(name, scope, routes))];
}

/** An ingress listener without a bind is at the node's address, and a default endpoint on all addresses means the node's first one. */
function readsOwnAddress(ingress: Sidecar["ingress"][number], { features }: ScopePlacement): boolean {
  return ingress.bind === "" || defaultEndpoint(ingress.defaultEndpoint, features.families).kind === "own-address";
}
