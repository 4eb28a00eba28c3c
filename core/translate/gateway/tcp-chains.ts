import { hostsMatch } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { BoundRule, RouterServer } from "#core/model/router.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { L4Match, RouteDestination, TlsMatch, VirtualService } from "#core/model/virtual-service.ts";
import type { TcpBody } from "../listeners/outbound/chain.ts";
import { sourcesOf } from "../listeners/outbound/sources.ts";
import { type FindService, routeBody } from "../listeners/outbound/tcp-body.ts";
import type { ChainOf, ServerContext } from "./chain.ts";

/**
 * Plain or terminated TCP: the first `tcp` route of the rules bound to the gateway that fits the server decides (istio `gateway.go`
 * buildGatewayNetworkFiltersFromTCPRoutes).
 */
export function tcpBody(entry: RouterServer, { rules, scope, settings }: ServerContext): ChainOf<TcpBody> | undefined {
  for (const { virtualService } of fittingRules(entry, rules)) {
    for (const { match, route } of virtualService.tcp) {
      const fits = match.length === 0 || match.some((one) => fitsServer(one, entry));
      if (fits && route.length > 0) return chainTo(route, virtualService, { entry, scope, settings });
    }
  }
  return undefined;
}

/** TLS that is passed on: each match of each `tls` route is a chain for its names, as they are written (istio buildGatewayNetworkFiltersFromTLSRoutes). */
export function passthroughBodies(entry: RouterServer, context: ServerContext): readonly (ChainOf<TcpBody> & { readonly match: TlsMatch })[] {
  return fittingRules(entry, context.rules).flatMap(({ virtualService }) =>
    virtualService.tls
      .filter(({ route }) => route.length > 0)
      .flatMap(({ match, route }) =>
        match
          .filter((one) => fitsServer(one, entry))
          .flatMap((one) => {
            const chain = chainTo(route, virtualService, { entry, ...context });
            return chain === undefined ? [] : [{ ...chain, match: one }];
          }),
      ),
  );
}

/** A host of the rule and one of the server overlap; a server's host may be for rules of one namespace. */
function fittingRules({ server }: RouterServer, rules: readonly BoundRule[]): readonly BoundRule[] {
  return rules.filter(({ virtualService: { hosts, namespace } }) =>
    hosts.some((host) =>
      server.hosts.some((own) => {
        const slash = own.indexOf("/");
        return (slash < 0 || own.slice(0, slash) === namespace) && hostsMatch(own.slice(slash + 1), host);
      }),
    ),
  );
}

/** Sources of connections don't count here: the other side is no workload of the mesh. */
function fitsServer({ port, gateways }: L4Match, { server, gateway }: RouterServer): boolean {
  return (port === 0 || port === server.port.number) && (gateways.length === 0 || gateways.includes(gateway));
}

function chainTo(
  route: readonly RouteDestination[],
  virtualService: VirtualService,
  { entry, scope, settings }: Pick<ServerContext, "scope" | "settings"> & { readonly entry: RouterServer },
): ChainOf<TcpBody> | undefined {
  const { number, name, protocol } = entry.server.port;
  const port: ServicePort = { number, name, protocol };
  const find = finder(scope);
  const body = routeBody(route, { claim: { port }, virtualService, find, settings: settings.listeners });
  return body === undefined ? undefined : { body, from: sourcesOf(virtualService, route, find) };
}

const finder = memoize((scope: Scope): FindService => {
  const byHost = new Map<string, ScopedService>(scope.services.map((scoped) => [scoped.service.host, scoped]));
  return (host) => byHost.get(host);
});
