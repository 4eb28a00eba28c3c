import { type GatewayServer, isPassthrough } from "#core/model/gateway.ts";
import { isHttp } from "#core/model/protocol.ts";
import type { Router, RouterPort, RouterServer } from "#core/model/router.ts";
import type { Scope } from "#core/model/scope.ts";
import { autoPassthroughChains } from "./auto-passthrough.ts";
import type { RouterChain, RouterHttpBody, ServerContext } from "./chain.ts";
import { serverTls } from "./server-tls.ts";
import type { GatewaySettings } from "./settings.ts";
import { passthroughBodies, tcpBody } from "./tcp-chains.ts";

/** What the chains of a router are made of. */
export interface RouterView {
  readonly router: Router;
  readonly scope: Scope;
  readonly settings: GatewaySettings;
  /** By port of the router: which passed-on names have a chain already, at which bind. */
  readonly takenNames: Map<number, Map<string, string>>;
}

/** The chains of one port: a single one for plain HTTP, one or more for each server of anything else (istio `gateway.go` buildGatewayTCPBasedFilterChains). */
export function portChains(port: RouterPort, view: RouterView): readonly RouterChain[] {
  if (!isHttp(port.protocol)) return port.servers.flatMap((entry) => serverChains(entry, port, view));
  return [plainHttp({ kind: "http", routes: port.routes, protocol: port.protocol, statPrefix: "" })];
}

function plainHttp(body: RouterHttpBody): RouterChain {
  return { serverNames: [], applicationProtocols: [], body, secrets: [], from: [] };
}

function serverChains(entry: RouterServer, port: RouterPort, { router, scope, settings, takenNames }: RouterView): readonly RouterChain[] {
  const { server } = entry;
  const context: ServerContext = { rules: router.rules.get(entry.gateway) ?? [], scope, settings };
  if (server.tls?.mode === "AUTO_PASSTHROUGH") return autoPassthroughChains(entry.serverNames, scope, settings);
  if (isPassthrough(server)) return passthrough(entry, context, takenNamesOf(port.number, takenNames));
  return endsHttps(server) ? https(entry, context) : terminatedTcp(entry, context);
}

function endsHttps({ tls, port }: GatewayServer): boolean {
  return tls !== undefined && port.protocol === "HTTPS";
}

/** HTTP behind TLS that ends here; no chain where the certificate for it is out of reach. */
function https(entry: RouterServer, { settings }: ServerContext): readonly RouterChain[] {
  const { server, routes, serverNames } = entry;
  const body: RouterHttpBody = { kind: "http", routes, protocol: server.port.protocol, statPrefix: server.name };
  return withTls(server, settings, (tls) => ({ serverNames, applicationProtocols: [], body, ...tls, from: [] }));
}

/** Bytes, in the clear or behind TLS that ends here; no chain without a route. */
function terminatedTcp(entry: RouterServer, context: ServerContext): readonly RouterChain[] {
  const { server, serverNames } = entry;
  const found = tcpBody(entry, context);
  if (found === undefined) return [];
  const exchangesMetadata = server.tls?.mode === "ISTIO_MUTUAL";
  return withTls(server, context.settings, (tls) => ({
    serverNames,
    applicationProtocols: [],
    body: { kind: "tcp", proxy: found.body, exchangesMetadata, authorized: true },
    ...tls,
    from: found.from,
  }));
}

function withTls(
  server: GatewayServer,
  settings: GatewaySettings,
  chain: (tls: Pick<RouterChain, "socket" | "secrets">) => RouterChain,
): readonly RouterChain[] {
  if (server.tls === undefined) return [chain({ secrets: [] })];
  const tls = serverTls(server, server.tls, settings);
  return tls === undefined ? [] : [chain(tls)];
}

/** TLS that is passed on; a match with a name that has a chain already is left out whole. */
function passthrough(entry: RouterServer, context: ServerContext, taken: Map<string, string>): readonly RouterChain[] {
  const { bind } = entry.server;
  return passthroughBodies(entry, context).flatMap(({ body, from, match }) => {
    if (match.sniHosts.some((name) => taken.get(name) === bind)) return [];
    for (const name of match.sniHosts) taken.set(name, bind);
    return [
      {
        serverNames: match.sniHosts,
        applicationProtocols: [],
        body: { kind: "tcp", proxy: body, exchangesMetadata: false, authorized: true },
        secrets: [],
        from,
      },
    ];
  });
}

function takenNamesOf(port: number, takenNames: Map<number, Map<string, string>>): Map<string, string> {
  const known = takenNames.get(port) ?? new Map<string, string>();
  takenNames.set(port, known);
  return known;
}
