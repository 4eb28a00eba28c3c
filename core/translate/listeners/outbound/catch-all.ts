import { type FilterChain, filterChain, type NetworkFilter } from "#core/envoy/filter-chain.ts";
import { tcpProxyFilter } from "#core/envoy/tcp-proxy.ts";
import { memoize } from "#core/lib/memo.ts";
import { orderNetworkFilters } from "../../frames/filter-slots.ts";
import type { OutboundContext } from "./context.ts";

/** Where it goes. Nothing but telemetry stands before it. */
export const catchAllFilters = memoize(({ frame, settings, policy }: OutboundContext): readonly NetworkFilter[] => {
  const { idleTimeout } = settings;
  const cluster = policy.catchAll;
  const proxy = tcpProxyFilter({
    statPrefix: cluster,
    targets: { kind: "cluster", cluster },
    ...(idleTimeout && { idleTimeout }),
    accessLogs: frame.accessLogs.tcp,
  });
  return orderNetworkFilters({ stats: frame.networkFilters.stats ?? [], terminal: [proxy] });
});

/** The chain for what a listener's own chains don't take. */
export const passthroughChain = memoize(
  (context: OutboundContext): FilterChain => filterChain({ name: "PassthroughFilterChain", match: ANYTHING, filters: catchAllFilters(context) }),
);

const ANYTHING = { ranges: [], serverNames: [], transport: "", applicationProtocols: [] };
