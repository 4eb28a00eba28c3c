import { type FilterChain, filterChain } from "#core/envoy/filter-chain.ts";
import { tcpProxyFilter } from "#core/envoy/tcp-proxy.ts";
import { orderNetworkFilters } from "../frames/filter-slots.ts";
import type { ClassFrame } from "../frames/frame.ts";
import { BLACK_HOLE_CLUSTER } from "../names.ts";

/** Ends connections to the port where redirected ones arrive: let through, they would come back for ever. Encoded: few differ. */
export function blackHoleChain(listener: string, port: number, { networkFilters }: ClassFrame): FilterChain {
  const proxy = tcpProxyFilter({ statPrefix: BLACK_HOLE_CLUSTER, targets: { kind: "cluster", cluster: BLACK_HOLE_CLUSTER }, accessLogs: [] });
  return filterChain({
    name: `${listener}-blackhole`,
    match: { port, ranges: [], serverNames: [], transport: "", applicationProtocols: [] },
    filters: orderNetworkFilters({
      "peer-metadata": networkFilters["peer-metadata"] ?? [],
      stats: networkFilters.stats ?? [],
      terminal: [proxy],
    }),
  });
}
