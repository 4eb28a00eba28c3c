import { type ServiceRoutes, serviceRoutes } from "#core/envoy/service-route.ts";
import { seconds } from "#core/lib/duration.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { ConsistentHash } from "#core/model/traffic-policy.ts";
import { outboundClusterName } from "../names.ts";
import type { RoutesFragment } from "./fragment.ts";
import type { RouteFrame } from "./frame.ts";
import { hashOfService, hashPolicies } from "./hash.ts";
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
  const route = routesFor(frame, hashOfService(rule, port.number))(cluster, `${hostAndPort(host, port.number)}/*`);
  return { routes: [route], catchesAll: true, clusters: [cluster], from: service.sources };
});

const routesFor = memoize((frame: RouteFrame, hash: ConsistentHash | undefined): ServiceRoutes => {
  const retry = retries(frame.defaultRetry, false);
  return serviceRoutes({
    name: "default",
    match: MATCH_ALL,
    action: {
      timeout: seconds(0),
      hostRewrite: "",
      appendXForwardedHost: false,
      ...(retry === undefined ? {} : { retry }),
      mirrors: [],
      hash: hashPolicies(hash),
      missingClusterIsError: false,
      proxyless: frame.proxyless ?? false,
    },
  });
});
