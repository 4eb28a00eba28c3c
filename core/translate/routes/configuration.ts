import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeRouteConfiguration } from "#core/envoy/route-configuration.ts";
import type { VirtualHostFragment } from "#core/envoy/virtual-host.ts";
import { distinct } from "#core/lib/joined.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";

/** Longest body of a direct response: what Istio's validation allows. */
const MAX_DIRECT_RESPONSE_BODY = 1024 * 1024;

/** What a route configuration of a proxy is made of: virtual hosts in order, the clusters that they name (sorted), and the objects that were looked at. */
export interface ConfigurationParts {
  readonly virtualHosts: readonly VirtualHostFragment[];
  readonly clusters: readonly string[];
  readonly from: readonly ObjectKey[];
}

/** A route configuration of a sidecar or a router (istio `httproute.go` buildSidecarOutboundHTTPRouteConfig, `gateway.go` buildGatewayHTTPRouteConfig). */
export function configuration(name: string, { virtualHosts, clusters, from }: ConfigurationParts): Resource {
  const bytes = encodeRouteConfiguration({
    name,
    virtualHosts,
    maxDirectResponseBodyBytes: MAX_DIRECT_RESPONSE_BODY,
    ignorePortInHostMatching: true,
  });
  return makeResource("routes", name, bytes, { ...NO_NEEDS, clusters }, distinct(from));
}

/** What a name that means nothing is answered with. */
export function emptyConfiguration(name: string): Resource {
  return makeResource("routes", name, encodeRouteConfiguration({ name, virtualHosts: [], ignorePortInHostMatching: false }), NO_NEEDS, []);
}
