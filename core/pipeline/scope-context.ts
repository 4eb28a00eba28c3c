import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { lookUp } from "#core/lib/trie.ts";
import { serviceKey } from "#core/model/mesh.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import type { ScopePlacement } from "#core/node/placement.ts";
import type { Vantage } from "#core/node/vantage.ts";
import { type ClusterSettings, clusterSettings } from "#core/translate/clusters/settings.ts";
import { type EndpointSettings, endpointSettings } from "#core/translate/endpoints/specs.ts";
import type { EndpointView } from "#core/translate/endpoints.ts";
import { type Frame, meshFrame } from "#core/translate/frames/frame.ts";
import { type ListenerSettings, listenerSettings } from "#core/translate/listeners/settings.ts";
import { type RouteSettings, routeSettings } from "#core/translate/routes/settings.ts";
import { passingGateways, proxyConfigOf, scopeOf } from "./views.ts";

/** All that resources of one scope are made from. Parts keep their identity as long as a change does not touch them. */
export interface ScopeContext {
  readonly placement: ScopePlacement;
  readonly scope: Scope;
  /** Objects that decide what of the mesh its layers name: the Sidecar, Gateways that pass TLS on, Services that hide their namesakes. */
  readonly importers: readonly ObjectKey[];
  readonly clusters: ClusterSettings;
  readonly endpoints: EndpointSettings;
  readonly listeners: ListenerSettings;
  readonly routes: RouteSettings;
  readonly frame: Frame;
}

/** Gathers what the resources of a scope are made from. */
export function scopeContext(mesh: ResolvedMesh, placement: ScopePlacement): ScopeContext {
  const { config } = mesh;
  const client = { ...placement, proxyConfig: proxyConfigOf(mesh, placement) };
  const clusters = clusterSettings(config, client);
  const scope = scopeOf(mesh, placement);
  const passing = passingGateways(mesh, placement);
  return {
    placement,
    scope,
    importers: [...(scope.sidecar ? [scope.sidecar] : []), ...passing.flatMap(({ sources }) => sources), ...hidingObjects(mesh.services)],
    clusters,
    endpoints: endpointSettings(config, !clusters.outbound.knowsDestination, passing.length > 0),
    listeners: listenerSettings(config, client),
    routes: routeSettings(config, client),
    frame: meshFrame(config, client.proxyConfig, placement),
  };
}

/** Services that stand for others of their name, in other clusters, and are not for everybody: those others are hidden with them. */
export const hidingObjects = memoize((services: readonly Service[]): readonly ObjectKey[] =>
  internKeys(services.flatMap(({ exportTo, sources }) => (exportTo.kind !== "public" && sources.length > 1 ? sources : []))),
);
const internKeys = interner<readonly ObjectKey[]>();

const internVantage = interner<Vantage>();

/** How endpoints are seen from a place. */
export function endpointView(mesh: ResolvedMesh, vantage: Vantage): EndpointView {
  return {
    vantage: internVantage(vantage),
    networkGateways: mesh.networkGateways,
    endpointsOf: (service) => lookUp(mesh.endpoints, serviceKey(service)),
  };
}
