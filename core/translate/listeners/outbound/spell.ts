import { type FilterChainFields, filterChain, type NetworkFilter } from "#core/envoy/filter-chain.ts";
import { connectionManagerHead } from "#core/envoy/http-connection-manager.ts";
import { configMetadata } from "#core/envoy/istio-metadata.ts";
import type { ListenerFields } from "#core/envoy/listener.ts";
import { httpInspector, type ListenerFilter, tlsInspector } from "#core/envoy/listener-filters.ts";
import { mongoProxyFilter, sniForwardProxyFilter } from "#core/envoy/network-filters.ts";
import { tcpProxyFilter } from "#core/envoy/tcp-proxy.ts";
import { seconds } from "#core/lib/duration.ts";
import { memoize } from "#core/lib/memo.ts";
import { hostDnsCache } from "../../dynamic-dns.ts";
import { type ManagerVariant, managerFrame, managerVariant } from "../../frames/connection-manager.ts";
import { beforeHttp, orderNetworkFilters } from "../../frames/filter-slots.ts";
import { CONNECTIONS_PER_EVENT } from "../binds.ts";
import { type ChainPiece, HANDSHAKE_TIMEOUT, type ListenerPlan } from "../plan.ts";
import { passthroughChain } from "./catch-all.ts";
import { type ChainPlan, chainMatch, type HttpBody, isMatchAll, type TcpBody, targetClusters } from "./chain.ts";
import type { Claim } from "./claim.ts";
import type { OutboundContext } from "./context.ts";

export type Place = Pick<Claim, "name" | "binds" | "real" | "port">;

/**
 * Spells an outbound listener (istio `listener.go` buildListenerFromEntry). The chain that takes everything comes last, as the default; without one the
 * default lets unknown traffic go its way. A single chain needs no default.
 */
export const outboundPlan = memoize((context: OutboundContext, place: Place, ...chains: readonly ChainPlan[]): ListenerPlan => {
  const pieces = chains.map((chain) => ({ chain, piece: chainPiece(chain, place, context) }));
  const specific = pieces.filter(({ chain }) => !isMatchAll(chain.match)).map(({ piece }) => piece);
  const everything = pieces.findLast(({ chain }) => isMatchAll(chain.match))?.piece;
  const alone = everything !== undefined && specific.length === 0;
  return {
    fields: { ...listenerFields(place, context), ...listenerFilters(chains, context) },
    chains: alone ? [everything] : specific,
    ...(!alone && { defaultChain: everything ?? { kind: "ready", chain: passthroughChain(context) } }),
    clusters: clustersOf(chains, everything === undefined ? [context.policy.catchAll] : []),
    routes: [...new Set(chains.flatMap(({ body }) => (body.kind === "http" ? [body.routes] : [])))].sort(),
  };
});

function clustersOf(chains: readonly ChainPlan[], more: readonly string[]): readonly string[] {
  const own = chains.flatMap(({ body }) => (body.kind === "http" ? [] : targetClusters(body.targets)));
  return [...new Set([...own, ...more])].sort();
}

function listenerFields({ name, binds, real, port }: Place, { settings }: OutboundContext): Omit<ListenerFields, "chains" | "listenerFilters"> {
  return {
    name,
    direction: "outbound",
    binds,
    port: port.number,
    ...(real ? { acceptPerEvent: CONNECTIONS_PER_EVENT } : { bindToPort: false }),
    continueOnTimeout: true,
    exactBalance: settings.outboundExactBalance,
    accessLogs: [],
  };
}

/** Names are read from TLS, HTTP is recognised, where a chain asks for it. Only what recognises HTTP ever waits. */
function listenerFilters(
  chains: readonly ChainPlan[],
  { settings }: OutboundContext,
): Pick<ListenerFields, "listenerFilters" | "listenerFiltersTimeout"> {
  const tls = chains.some(({ match, body }) => match.serverNames.length > 0 || (body.kind === "tcp" && body.forwardHost !== undefined));
  const http = chains.some(({ match }) => match.applicationProtocols.length > 0);
  const filters: ListenerFilter[] = [...(tls ? [tlsInspector()] : []), ...(http ? [httpInspector()] : [])];
  return { listenerFilters: filters, listenerFiltersTimeout: http ? settings.detectionTimeout : seconds(0) };
}

function chainPiece(chain: ChainPlan, place: Place, context: OutboundContext): ChainPiece {
  const { body, virtualService } = chain;
  const match = chainMatch(chain.match);
  const fields: Omit<FilterChainFields, "filters"> = {
    name: "",
    ...(match && { match }),
    ...(virtualService && { metadata: configMetadata("virtual-service", virtualService) }),
    connectTimeout: HANDSHAKE_TIMEOUT,
  };
  if (body.kind === "tcp") return { kind: "ready", chain: filterChain({ ...fields, filters: tcpFilters(body, place, context) }) };
  const head = connectionManagerHead(`outbound_${place.name};`, { kind: "rds", name: body.routes });
  const manager = managerFrame(context.frame, httpVariant(body, context));
  return { kind: "http", http: { fields, before: orderNetworkFilters(beforeHttp(context.frame.networkFilters)), manager: { head, frame: manager } } };
}

/** What a connection manager needs beyond its frame. */
export function httpVariant(body: Omit<HttpBody, "kind" | "routes">, { settings, policy }: OutboundContext): ManagerVariant {
  const { protocol, forwardHost, proxy = false } = body;
  const own = forwardHost === undefined ? [] : [hostDnsCache(forwardHost, settings.addresses.families)];
  const forwardProxies = [...own, ...(policy.resolvesHosts ? [settings.anyHostDns] : [])];
  return managerVariant({ grpcWeb: protocol === "GRPC-Web", absoluteUrl: proxy, exchangeWithAll: proxy, forwardProxies });
}

function tcpFilters(body: TcpBody, { port }: Place, { settings, frame }: OutboundContext): readonly NetworkFilter[] {
  const { forwardHost, mongo, kind, ...proxy } = body;
  const cache = forwardHost === undefined ? undefined : hostDnsCache(forwardHost, settings.addresses.families);
  return orderNetworkFilters({
    ...frame.networkFilters,
    ...(cache && { "sni-forward-proxy": [sniForwardProxyFilter(cache, port.number)] }),
    ...(mongo && { protocol: [mongoProxyFilter(body.statPrefix)] }),
    terminal: [tcpProxyFilter({ ...proxy, accessLogs: frame.accessLogs.tcp })],
  });
}
