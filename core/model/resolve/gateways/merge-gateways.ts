import { type Gateway, type GatewayServer, isPassthrough } from "#core/model/gateway.ts";
import { isHttp, type Protocol } from "#core/model/protocol.ts";
import type { RouterPort, RouterServer } from "#core/model/router.ts";
import type { ServiceTarget } from "#core/model/workload.ts";

export interface MergedServers {
  readonly ports: readonly RouterPort[];
  readonly routeTables: ReadonlyMap<string, readonly RouterServer[]>;
}

/** What identifies a listener of the router: a differently written protocol is another one. */
interface PortKey {
  readonly number: number;
  readonly protocol: Protocol;
  readonly protocolText: string;
  readonly bind: string;
}

interface OpenPort extends PortKey {
  routes: string;
  readonly servers: RouterServer[];
}

interface State {
  /** Keys in order; one that is opened again is listed again and replaces what it was, as in Istio. */
  readonly order: string[];
  readonly byKey: Map<string, OpenPort>;
  /** Ports that any server has. */
  readonly taken: Set<number>;
  /** The plaintext listener of each port, the last one opened. */
  readonly plain: Map<number, OpenPort>;
  readonly routeTables: Map<string, RouterServer[]>;
  /** By port: who has a TLS host, by bind. */
  readonly tlsHosts: Map<number, Map<string, string>>;
}

/**
 * Merges the servers of all Gateways of a router, oldest first. On one port plaintext HTTP servers share a listener and a table of routes, TLS servers
 * are told apart by server name, and whatever else comes later is left out; other addresses are other listeners (istio `model/gateway.go` mergeGateways).
 */
export function mergeGateways(gateways: readonly Gateway[], targets: readonly ServiceTarget[]): MergedServers {
  const state: State = { order: [], byKey: new Map(), taken: new Set(), plain: new Map(), routeTables: new Map(), tlsHosts: new Map() };
  for (const gateway of gateways) for (const server of gateway.servers) addServer(server, gateway, targetPort(server.port.number, targets), state);
  return { ports: state.order.flatMap((key) => state.byKey.get(key) ?? []), routeTables: state.routeTables };
}

/** A label by which a Service opts out of translating ports. */
const NO_TRANSLATION = "experimental.istio.io/disable-gateway-port-translation";

/** A server's port is a Service's; the router listens where that Service sends traffic. Without such a Service it is the router's own port. */
function targetPort(number: number, targets: readonly ServiceTarget[]): number {
  const target = targets.find(({ service, port }) => port.number === number && !(NO_TRANSLATION in service.labels));
  return target?.targetPort ?? number;
}

function addServer(server: GatewayServer, gateway: Gateway, number: number, state: State): void {
  if (server.tls !== undefined && !claimHosts(server, number, state)) return;
  const { protocol, protocolText } = server.port;
  const key: PortKey = { number, protocol, protocolText, bind: server.bind };
  const entry: RouterServer = {
    gateway: `${gateway.namespace}/${gateway.name}`,
    server,
    routes: routesName(server, number, gateway),
    serverNames: server.tls === undefined ? [] : [...new Set(server.hosts.map(withoutNamespace))].sort(),
  };
  const plain = state.plain.get(number);
  if (!state.taken.has(number)) open(entry, key, state);
  else if (plain !== undefined) joinPlain(entry, key, plain, state);
  else if (isPlaintext(server)) open(entry, key, state);
  else joinTls(entry, key, state);
}

/** Two chains of one listener can't have the same server name: a server with a host that is taken at its address is left out whole. */
function claimHosts({ hosts, bind }: GatewayServer, number: number, { tlsHosts }: State): boolean {
  const known = tlsHosts.get(number) ?? new Map<string, string>();
  tlsHosts.set(number, known);
  if (hosts.some((host) => known.get(host) === bind)) return false;
  for (const host of hosts) known.set(host, bind);
  return true;
}

/** A plaintext listener is there: HTTP joins it, on another address anything gets a listener of its own. */
function joinPlain(entry: RouterServer, key: PortKey, plain: OpenPort, state: State): void {
  if (plain.bind === key.bind) {
    if (!isHttp(plain.protocol) || !isHttp(key.protocol) || entry.routes === "") return;
    plain.servers.push(entry);
    pushTo(state.routeTables, entry);
    return;
  }
  const existing = state.byKey.get(textOf(key));
  if (existing === undefined) {
    open(entry, key, state);
    return;
  }
  existing.routes = entry.routes;
  existing.servers.push(entry);
  pushTo(state.routeTables, entry);
}

/** Only TLS servers are there: another joins them, if its table of routes is its own. */
function joinTls(entry: RouterServer, key: PortKey, state: State): void {
  if (isHttpServer(entry.server)) {
    if (state.routeTables.has(entry.routes)) return;
    state.routeTables.set(entry.routes, [entry]);
  }
  const existing = state.byKey.get(textOf(key));
  if (existing === undefined) register({ ...key, routes: "", servers: [entry] }, state);
  else existing.servers.push(entry);
}

function open(entry: RouterServer, key: PortKey, state: State): void {
  const port: OpenPort = { ...key, routes: entry.routes, servers: [entry] };
  state.taken.add(key.number);
  if (isPlaintext(entry.server)) state.plain.set(key.number, port);
  if (isHttpServer(entry.server)) state.routeTables.set(entry.routes, [entry]);
  register(port, state);
}

function register(port: OpenPort, { order, byKey }: State): void {
  byKey.set(textOf(port), port);
  order.push(textOf(port));
}

function pushTo(tables: Map<string, RouterServer[]>, entry: RouterServer): void {
  const table = tables.get(entry.routes) ?? [];
  tables.set(entry.routes, table);
  table.push(entry);
}

function textOf({ number, protocolText, bind }: PortKey): string {
  return `${number} ${protocolText} ${bind}`;
}

/** HTTP that only redirects to HTTPS has TLS settings, but is plaintext. */
function isPlaintext({ tls, port }: GatewayServer): boolean {
  return tls === undefined || isHttp(port.protocol);
}

/** HTTP in the clear, or HTTPS that ends here. */
function isHttpServer(server: GatewayServer): boolean {
  return isHttp(server.port.protocol) || (server.port.protocol === "HTTPS" && !isPassthrough(server));
}

/** Plain HTTP has one table for each port of the router, HTTPS one for each server (istio gatewayRDSRouteName). */
function routesName(server: GatewayServer, number: number, gateway: Gateway): string {
  const bind = server.bind === "" ? "" : `.${server.bind}`;
  if (isHttp(server.port.protocol)) return `http.${number}${bind}`;
  if (server.port.protocol !== "HTTPS" || isPassthrough(server)) return "";
  return `https.${server.port.number}.${server.port.name}.${gateway.name}.${gateway.namespace}${bind}`;
}

function withoutNamespace(host: string): string {
  return host.includes("/") ? (host.split("/")[1] ?? "") : host;
}
