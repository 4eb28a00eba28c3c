import { ZERO_DURATION } from "./duration.ts";
import type { RouteConfigurationMessage } from "./http-connection-manager.ts";

export interface DynamicDnsRouteFields {
  readonly name: string;
  readonly cluster: string;
  readonly includeRequestAttemptCount: boolean;
  readonly appendXForwardedHost: boolean;
}

/** Longest body of a direct response: what Istio's validation allows. */
const MAX_DIRECT_RESPONSE_BODY = 1024 * 1024;

/** Routes of a listener that sends every request to one cluster, which resolves the request's host (istio `httproute.go` buildCatchAllVirtualHost). */
export function dynamicDnsRoutes(fields: DynamicDnsRouteFields): RouteConfigurationMessage {
  const { name, cluster, includeRequestAttemptCount, appendXForwardedHost } = fields;
  const action = {
    clusterSpecifier: { case: "cluster", value: cluster },
    timeout: ZERO_DURATION,
    maxGrpcTimeout: ZERO_DURATION,
    appendXForwardedHost,
  } as const;
  const route = { name, match: { pathSpecifier: { case: "prefix", value: "/" } }, action: { case: "route", value: action } } as const;
  return {
    name,
    virtualHosts: [{ name, domains: ["*"], routes: [route], includeRequestAttemptCount }],
    validateClusters: false,
    maxDirectResponseBodySizeBytes: MAX_DIRECT_RESPONSE_BODY,
    ignorePortInHostMatching: true,
  };
}
