import { hostAndPort } from "#core/lib/host-port.ts";
import { compareSpecificity, isSubsetOf } from "#core/lib/hostname.ts";
import type { BoundRule, RouterServer } from "#core/model/router.ts";
import type { RoutesFragment } from "../routes/fragment.ts";

/** A virtual host of a route table: what was joined for its host, in order. */
export interface TableHost {
  readonly name: string;
  readonly domains: readonly string[];
  /** Lists of routes, one for each rule that has the host. */
  readonly lists: readonly RoutesFragment[];
  readonly requireTls: boolean;
}

/** Routes of one rule for one gateway. */
interface RoutesList {
  readonly key: string;
  readonly routes: RoutesFragment;
}

interface OpenHost {
  readonly name: string;
  readonly domains: string[];
  readonly lists: RoutesList[];
  requireTls: boolean;
}

/** The routes of a rule as a server wants them; undefined if none fit its port. */
export type RoutesFor = (rule: BoundRule, server: RouterServer) => RoutesFragment | undefined;

/**
 * The virtual hosts behind one route configuration: one for each host that a server and a VirtualService bound to its gateway have in common, narrowed
 * to what both cover. Rules that share a host join their routes, servers that redirect to HTTPS say so for all their hosts, unrouted ones included
 * (istio `gateway.go` buildGatewayHTTPRouteConfig).
 */
export function tableHosts(
  servers: readonly RouterServer[],
  rules: ReadonlyMap<string, readonly BoundRule[]>,
  routesFor: RoutesFor,
): readonly TableHost[] {
  const hosts = new Map<string, OpenHost>();
  const built = new Map<string, RoutesFragment>();
  for (const entry of servers) {
    for (const rule of rules.get(entry.gateway) ?? []) joinRule(rule, entry, { hosts, built, routesFor });
    if (entry.server.tls?.httpsRedirect === true) demandTls(entry, hosts);
  }
  return collapse(hosts);
}

interface Joining {
  readonly hosts: Map<string, OpenHost>;
  /** A rule's routes are built once for a gateway, as the first server with any of them wants them. */
  readonly built: Map<string, RoutesFragment>;
  readonly routesFor: RoutesFor;
}

function joinRule(rule: BoundRule, entry: RouterServer, { hosts, built, routesFor }: Joining): void {
  const { name, namespace, hosts: ruleHosts } = rule.virtualService;
  const common = commonHosts(hostsForNamespace(entry.server.hosts, namespace), ruleHosts);
  if (common.length === 0) return;
  const key = `${entry.gateway} ${namespace}/${name}`;
  const routes = built.get(key) ?? routesFor(rule, entry);
  if (routes === undefined) return;
  built.set(key, routes);
  const redirects = entry.server.tls?.httpsRedirect === true;
  for (const host of common.map((one) => one.toLowerCase())) {
    const known = hosts.get(host);
    if (known === undefined) hosts.set(host, newHost(host, entry, [{ key, routes }], redirects));
    else {
      known.lists.push({ key, routes });
      known.requireTls ||= redirects;
    }
  }
}

function newHost(host: string, entry: RouterServer, lists: RoutesList[], requireTls: boolean): OpenHost {
  return { name: hostAndPort(host, entry.server.port.number), domains: [host], lists, requireTls };
}

/** Hosts as the server has them, `namespace/host` spelling included. */
function demandTls(entry: RouterServer, hosts: Map<string, OpenHost>): void {
  for (const host of entry.server.hosts.map((one) => one.toLowerCase())) {
    const known = hosts.get(host);
    if (known === undefined) hosts.set(host, newHost(host, entry, [], true));
    else known.requireTls = true;
  }
}

/** The hosts that a server has for VirtualServices of a namespace (istio `host.NamesForNamespace`). */
export function hostsForNamespace(hosts: readonly string[], namespace: string): readonly string[] {
  return hosts.flatMap((host) => {
    const slash = host.indexOf("/");
    if (slash < 0) return [host];
    const scope = host.slice(0, slash);
    return scope === namespace || scope === "*" ? [host.slice(slash + 1)] : [];
  });
}

/** What both lists cover, each once: of two hosts that overlap the narrower (istio `host.Names.Intersection`). */
export function commonHosts(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  const common = new Set<string>();
  for (const host of ours) {
    for (const other of theirs) {
      if (isSubsetOf(host, other)) common.add(host);
      else if (isSubsetOf(other, host)) common.add(other);
    }
  }
  return [...common];
}

/** Hosts with the very same lists of routes share a virtual host, named after the most specific of them (istio collapseDuplicateRoutes). */
function collapse(hosts: ReadonlyMap<string, OpenHost>): readonly TableHost[] {
  const collapsed: OpenHost[] = [];
  const latest = new Map<string, OpenHost>();
  for (const [, host] of [...hosts].sort(([a], [b]) => compareSpecificity(a, b))) {
    const key = host.lists.map((list) => list.key).join("\n");
    const known = latest.get(key);
    if (known !== undefined && known.requireTls === host.requireTls) known.domains.push(...host.domains);
    else {
      latest.set(key, host);
      collapsed.push(host);
    }
  }
  return collapsed.map((host) => ({ ...host, lists: host.lists.map(({ routes }) => routes) }));
}
