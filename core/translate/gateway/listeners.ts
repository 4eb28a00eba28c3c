import type { Resource } from "#core/edition/resource.ts";
import { type FilterChainFields, filterChain, type NetworkFilter } from "#core/envoy/filter-chain.ts";
import { connectionManagerHead } from "#core/envoy/http-connection-manager.ts";
import type { ListenerFields } from "#core/envoy/listener.ts";
import { type ListenerFilter, proxyProtocol, tlsInspector } from "#core/envoy/listener-filters.ts";
import { metadataExchangeFilter, mongoProxyFilter } from "#core/envoy/network-filters.ts";
import { tcpProxyFilter } from "#core/envoy/tcp-proxy.ts";
import { compareText } from "#core/lib/compare.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Router, RouterPort } from "#core/model/router.ts";
import type { Scope } from "#core/model/scope.ts";
import { managerFrame, managerVariant } from "../frames/connection-manager.ts";
import { beforeHttp, orderNetworkFilters } from "../frames/filter-slots.ts";
import type { ClassFrame } from "../frames/frame.ts";
import { CONNECTIONS_PER_EVENT, listenerName, wildcard } from "../listeners/binds.ts";
import { chainMatch, targetClusters } from "../listeners/outbound/chain.ts";
import { type ChainPiece, HANDSHAKE_TIMEOUT, type ListenerPlan, type PlannedListener, workloadListener } from "../listeners/plan.ts";
import type { ListenerLiterals } from "../literals.ts";
import type { RouterChain, RouterTcpBody } from "./chain.ts";
import { portChains } from "./chains.ts";
import type { GatewaySettings } from "./settings.ts";

/** What a router's listeners are made of. */
export interface RouterListenerInput {
  readonly router: Router;
  readonly scope: Scope;
  readonly settings: GatewaySettings;
  /** Of the class `gateway`. */
  readonly frame: ClassFrame;
}

/** The listeners of a router: one for each port and address that any of its servers has a chain for (istio `gateway.go` buildGatewayListeners). */
export function routerListeners({ router, scope, settings, frame }: RouterListenerInput, literals: ListenerLiterals): readonly Resource[] {
  return plannedListeners(router, scope, settings, frame).map(({ plan, from }) => workloadListener(plan, literals, from));
}

interface Place {
  readonly name: string;
  readonly bind: string;
  readonly port: number;
}

const plannedListeners = memoize((router: Router, scope: Scope, settings: GatewaySettings, frame: ClassFrame): readonly PlannedListener[] => {
  const takenNames = new Map<number, Map<string, string>>();
  const places = new Map<string, { readonly place: Place; readonly chains: RouterChain[] }>();
  for (const port of router.ports.filter((one) => mayBind(one, settings))) {
    const bind = port.bind === "" ? wildcard(settings.listeners) : port.bind;
    const name = listenerName(bind, port.number);
    const known = places.get(name) ?? { place: { name, bind, port: port.number }, chains: [] };
    places.set(name, known);
    known.chains.push(...portChains(port, { router, scope, settings, takenNames }));
  }
  return [...places.values()].flatMap(({ place, chains }) => {
    if (chains.length === 0) return [];
    return [{ plan: listenerPlan(place, chains, settings, frame), from: [...new Set([...router.from, ...chains.flatMap(({ from }) => from)])] }];
  });
});

/** A pod without privileges can't bind low ports; and where the proxy has a host to share, its own ports are taken. */
function mayBind({ number }: RouterPort, { listeners }: GatewaySettings): boolean {
  if (listeners.sharesHost && listeners.ownPorts.includes(number)) return false;
  return !listeners.unprivileged || number >= 1024;
}

function listenerPlan(place: Place, chains: readonly RouterChain[], settings: GatewaySettings, frame: ClassFrame): ListenerPlan {
  return {
    fields: listenerFields(place, chains, settings, frame),
    chains: chains.map((chain) => chainPiece(chain, place, frame)),
    clusters: sorted(chains.flatMap(clustersOf)),
    routes: sorted(chains.flatMap(({ body }) => (body.kind === "http" ? [body.routes] : []))),
    secrets: sorted(chains.flatMap(({ secrets }) => secrets)),
  };
}

function listenerFields(
  { name, bind, port }: Place,
  chains: readonly RouterChain[],
  settings: GatewaySettings,
  frame: ClassFrame,
): ListenerPlan["fields"] {
  const fields: Omit<ListenerFields, "chains" | "defaultChain"> = {
    name,
    direction: "outbound",
    binds: [bind],
    port,
    acceptPerEvent: CONNECTIONS_PER_EVENT,
    ...(frame.bufferLimit !== undefined && { bufferLimit: frame.bufferLimit }),
    listenerFilters: listenerFilters(chains, settings),
    exactBalance: settings.listeners.outboundExactBalance,
    accessLogs: frame.accessLogs.listener,
  };
  return fields;
}

/** Names and protocols are read from TLS where a chain ends it or asks for a name. */
function listenerFilters(chains: readonly RouterChain[], { proxyProtocol: expectsHeader }: GatewaySettings): readonly ListenerFilter[] {
  const tls = chains.some(({ serverNames, socket }) => serverNames.length > 0 || socket !== undefined);
  return [...(expectsHeader ? [proxyProtocol()] : []), ...(tls ? [tlsInspector()] : [])];
}

function chainPiece(chain: RouterChain, place: Place, frame: ClassFrame): ChainPiece {
  const { serverNames, applicationProtocols, socket, body } = chain;
  const match = chainMatch({ serverNames, ranges: [], applicationProtocols, transport: "" });
  const fields: Omit<FilterChainFields, "filters"> = {
    name: "",
    ...(match && { match }),
    ...(socket && { transportSocket: socket }),
    connectTimeout: HANDSHAKE_TIMEOUT,
  };
  if (body.kind === "tcp") return { kind: "ready", chain: filterChain({ ...fields, filters: tcpFilters(body, frame) }) };
  const head = connectionManagerHead(body.statPrefix || `outbound_${place.name};`, { kind: "rds", name: body.routes });
  const manager = managerFrame(frame, managerVariant({ grpcWeb: body.protocol === "GRPC-Web" }));
  return { kind: "http", http: { fields, before: orderNetworkFilters(beforeHttp(frame.networkFilters)), manager: { head, frame: manager } } };
}

function tcpFilters({ proxy, exchangesMetadata, authorized }: RouterTcpBody, frame: ClassFrame): readonly NetworkFilter[] {
  const { mongo, kind, ...fields } = proxy;
  return orderNetworkFilters({
    ...frame.networkFilters,
    ...(!authorized && { "custom-authorization": [], authorization: [] }),
    ...(exchangesMetadata && frame.istioFilters && { "peer-metadata": [metadataExchangeFilter()] }),
    ...(mongo && { protocol: [mongoProxyFilter(proxy.statPrefix)] }),
    terminal: [tcpProxyFilter({ ...fields, accessLogs: frame.accessLogs.tcp })],
  });
}

function clustersOf({ body }: RouterChain): readonly string[] {
  return body.kind === "http" ? [] : targetClusters(body.proxy.targets);
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(compareText);
}
