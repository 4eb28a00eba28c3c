import { dynamicDnsRoutes } from "#core/envoy/dynamic-dns-route.ts";
import { filterChain } from "#core/envoy/filter-chain.ts";
import { connectionManagerHead } from "#core/envoy/http-connection-manager.ts";
import { httpInspector } from "#core/envoy/listener-filters.ts";
import { memoize } from "#core/lib/memo.ts";
import { managerFrame } from "../../frames/connection-manager.ts";
import { ALLOW_ANY_DYNAMIC_DNS_CLUSTER, BLACK_HOLE_CLUSTER } from "../../names.ts";
import { CONNECTIONS_PER_EVENT, wildcard } from "../binds.ts";
import { blackHoleChain } from "../black-hole.ts";
import type { ChainPiece, ListenerPlan } from "../plan.ts";
import { catchAllFilters } from "./catch-all.ts";
import type { OutboundContext } from "./context.ts";
import { PLAIN_HTTP_PROTOCOLS } from "./http-chain.ts";
import { httpVariant } from "./spell.ts";

const NAME = "virtualOutbound";
const ROUTES = "allow_any_dynamic_dns";

/**
 * Where redirected connections arrive. It hands them to the listener of their destination; what has none is unknown traffic
 * (istio `listener_builder.go` buildVirtualOutboundListener).
 */
export const virtualOutbound = memoize((context: OutboundContext): ListenerPlan => {
  const { settings, frame, policy } = context;
  return {
    fields: {
      name: NAME,
      direction: "outbound",
      binds: [wildcard(settings)],
      port: settings.virtualOutboundPort,
      ...(settings.interception === "TPROXY" && { transparent: true }),
      useOriginalDestination: true,
      acceptPerEvent: CONNECTIONS_PER_EVENT,
      listenerFilters: policy.resolvesHosts ? [httpInspector()] : [],
      accessLogs: frame.accessLogs.listener,
    },
    chains: [
      { kind: "ready", chain: blackHoleChain(NAME, settings.virtualOutboundPort, frame) },
      ...(policy.resolvesHosts ? [resolvedHttp(context)] : []),
      catchAll(context),
    ],
    clusters: [...new Set([BLACK_HOLE_CLUSTER, policy.catchAll, ...(policy.resolvesHosts ? [ALLOW_ANY_DYNAMIC_DNS_CLUSTER] : [])])].sort(),
    routes: [],
  };
});

const ANYTHING = { ranges: [], serverNames: [], transport: "", applicationProtocols: [] };

function catchAll(context: OutboundContext): ChainPiece {
  return { kind: "ready", chain: filterChain({ name: `${NAME}-catchall-tcp`, filters: catchAllFilters(context) }) };
}

/** HTTP to hosts that nobody knows: they are resolved. */
function resolvedHttp(context: OutboundContext): ChainPiece {
  const { requests } = context.frame;
  const config = dynamicDnsRoutes({
    name: ROUTES,
    cluster: ALLOW_ANY_DYNAMIC_DNS_CLUSTER,
    includeRequestAttemptCount: requests.attemptCount,
    appendXForwardedHost: requests.forwardedHost,
  });
  const head = connectionManagerHead(`outbound_${NAME}_${ROUTES};`, { kind: "inline", config });
  const fields = { name: `${NAME}-catchall-tcp-http`, match: { ...ANYTHING, applicationProtocols: PLAIN_HTTP_PROTOCOLS } };
  return {
    kind: "http",
    http: { fields, before: [], manager: { head, frame: managerFrame(context.frame, httpVariant({ protocol: "HTTP" }, context)) } },
  };
}
