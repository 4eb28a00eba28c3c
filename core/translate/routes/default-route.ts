import { encodeRoute, route } from "#core/envoy/route.ts";
import { forward } from "#core/envoy/route-action.ts";
import { seconds } from "#core/lib/duration.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import { outboundClusterName } from "../names.ts";
import type { RoutesFragment } from "./fragment.ts";
import type { RouteFrame } from "./frame.ts";
import { hashOfService, hashPolicies } from "./hash.ts";
import { headerChanges } from "./headers.ts";
import { MATCH_ALL } from "./match.ts";
import { registryHost } from "./registry.ts";
import { retries } from "./retry.ts";

/**
 * The one route of a service port that no VirtualService claims (istio `route.buildSidecarVirtualHostForService`,
 * `BuildDefaultHTTPOutboundRoute`). Whoever found the rule knows the objects behind it.
 */
export const defaultRoutes = memoize((port: ServicePort, service: Service, rule: DestinationRule | undefined, frame: RouteFrame): RoutesFragment => {
  const host = registryHost(service.host, frame.port);
  const cluster = outboundClusterName(port.number, "", host);
  const retry = retries(frame.defaultRetry, false);
  const message = route({
    name: "default",
    match: MATCH_ALL,
    action: forward({
      targets: { kind: "cluster", cluster },
      timeout: seconds(0),
      hostRewrite: "",
      appendXForwardedHost: false,
      ...(retry === undefined ? {} : { retry }),
      mirrors: [],
      hash: hashPolicies(hashOfService(rule, port.number)),
      missingClusterIsError: false,
      proxyless: frame.proxyless ?? false,
    }),
    config: "",
    operation: `${hostAndPort(host, port.number)}/*`,
    statPrefix: "",
    requestHeaders: NO_CHANGES.request,
    responseHeaders: NO_CHANGES.response,
    filters: {},
  });
  return { routes: [encodeRoute(message)], catchesAll: true, clusters: [cluster], from: service.sources };
});

const NO_CHANGES = headerChanges(undefined);
