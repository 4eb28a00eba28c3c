import type { Resource } from "#core/edition/resource.ts";
import type { RouteFragment } from "#core/envoy/route.ts";
import { encodeVirtualHost, type VirtualHostFragment } from "#core/envoy/virtual-host.ts";
import { compareText } from "#core/lib/compare.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Router, RouterServer } from "#core/model/router.ts";
import type { Scope } from "#core/model/scope.ts";
import { configuration, emptyConfiguration } from "../routes/configuration.ts";
import type { RoutesFragment } from "../routes/fragment.ts";
import { internFrame } from "../routes/frame.ts";
import type { RouteSettings } from "../routes/settings.ts";
import { hasRoutes, routesOfVirtualService } from "../routes/virtual-service-routes.ts";
import { findDestination } from "./find-destination.ts";
import { type RoutesFor, type TableHost, tableHosts } from "./table-hosts.ts";

/** What a router's routes are made of; `router` is absent where no Gateway selects it. */
export interface RouterInput {
  readonly router?: Router;
  readonly scope: Scope;
  readonly settings: RouteSettings;
}

/** A route configuration that the router's listeners name; an empty one for a name that means nothing (istio `gateway.go` buildGatewayHTTPRouteConfig). */
export function routerRoutes(name: string, { router, scope, settings }: RouterInput): Resource {
  const [first, ...others] = router?.routeTables.get(name) ?? [];
  if (router === undefined || first === undefined) return emptyConfiguration(name);
  const servers = [first, ...others];
  const hosts = tableHosts(servers, router.rules, routesFor(scope, settings));
  const attempts = settings.frame.includeAttemptCount;
  const spelled = hosts.length === 0 ? [nothingServed(first)] : hosts.map((host) => [host.name, virtualHost(host, attempts)] as const);
  const virtualHosts = spelled.sort(([a], [b]) => compareText(a, b)).map(([, fragment]) => fragment);
  const lists = [...new Set(hosts.flatMap((host) => host.lists))];
  const clusters = [...new Set(lists.flatMap((list) => list.clusters))].sort(compareText);
  return configuration(name, { virtualHosts, clusters, from: sources(router, servers, lists) });
}

function routesFor(scope: Scope, settings: RouteSettings): RoutesFor {
  return (rule, { server }) => {
    const frame = internFrame({ ...settings.frame, port: server.port.number, tls: server.tls !== undefined, http3: false });
    return hasRoutes(rule.http, frame.port) ? routesOfVirtualService(rule.http, findDestination(rule, scope), frame) : undefined;
  };
}

/** A table without any host says so by a virtual host without routes. */
function nothingServed({ server }: RouterServer): readonly [string, VirtualHostFragment] {
  const name = hostAndPort("blackhole", server.port.number);
  return [name, encodeVirtualHost({ name, domains: ["*"], routes: [], requireTls: false, includeRequestAttemptCount: false })];
}

interface HostFrame {
  readonly name: string;
  readonly domains: readonly string[];
  readonly requireTls: boolean;
  readonly includeRequestAttemptCount: boolean;
}

const internHost = interner<HostFrame>();

function virtualHost({ name, domains, requireTls, lists }: TableHost, includeRequestAttemptCount: boolean): VirtualHostFragment {
  return encodedHost(internHost({ name, domains, requireTls, includeRequestAttemptCount }), ...lists);
}

/** Encoded again only when its names or one of its lists are others. */
const encodedHost = memoize(
  (host: HostFrame, ...lists: readonly RoutesFragment[]): VirtualHostFragment => encodeVirtualHost({ ...host, routes: inOrder(lists) }),
);

/** Routes that take every request go to the end, so that those of other rules are reached (istio SortVHostRoutes). */
function inOrder(lists: readonly RoutesFragment[]): readonly RouteFragment[] {
  const specific = lists.flatMap(({ routes, catchesAll }) => (catchesAll ? routes.slice(0, -1) : routes));
  const general = lists.flatMap(({ routes, catchesAll }) => (catchesAll ? routes.slice(-1) : []));
  return [...specific, ...general];
}

/** All Gateways of the router and all rules bound to those of this table count, those that got nothing included. */
function sources(router: Router, servers: readonly RouterServer[], lists: readonly RoutesFragment[]): readonly ObjectKey[] {
  const gateways = new Set(servers.map(({ gateway }) => gateway));
  const rules = [...gateways].flatMap((gateway) => router.rules.get(gateway) ?? []);
  return [...router.from, ...rules.flatMap(({ virtualService }) => virtualService.sources), ...lists.flatMap(({ from }) => from)];
}
