import { encodeVirtualHost, type VirtualHostFragment } from "#core/envoy/virtual-host.ts";
import { compareText } from "#core/lib/compare.ts";
import { equalLists } from "#core/lib/equality.ts";
import { memoize } from "#core/lib/memo.ts";
import { equalKeyLists, type ObjectKey } from "#core/lib/object-key.ts";
import type { EgressListener, Scope } from "#core/model/scope.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { Allocation, PlannedHost } from "./allocation.ts";
import { defaultRoutes } from "./default-route.ts";
import type { FindDestination } from "./destination.ts";
import { internLabel, type Label } from "./domains.ts";
import { findDestination, type RulesByHost, rulesByHost } from "./find-destination.ts";
import type { RoutesFragment } from "./fragment.ts";
import type { RouteFrame } from "./frame.ts";
import { routesOfVirtualService } from "./virtual-service-routes.ts";

/** Encoded virtual hosts, in order, with what they name (sorted) and what they were made of, services aside. */
export interface BuiltHosts {
  readonly hosts: readonly VirtualHostFragment[];
  readonly clusters: readonly string[];
  readonly from: readonly ObjectKey[];
}

/** All virtual hosts of a listener: those of services as they are remembered, those of VirtualServices one by one. */
export function buildHosts(allocation: Allocation, listener: EgressListener, scope: Scope, frame: RouteFrame): BuiltHosts {
  const services = serviceHosts(allocation, rulesByHost(scope.services), frame);
  return following(allocation, services, findDestination(listener, scope, frame), frame)(listener);
}

/** The virtual host of a VirtualService. */
interface Row {
  readonly virtualService: VirtualService | undefined;
  readonly place: number;
  readonly routes: RoutesFragment;
  readonly host: VirtualHostFragment | undefined;
}

/**
 * Builds the hosts of one VirtualService after the other as they change: only what is new is looked at, and lists that the change leaves equal (thousands of
 * clusters and objects) stay the same ones.
 */
const following = memoize((allocation: Allocation, services: ServiceHosts, find: FindDestination, frame: RouteFrame) => {
  const rowOf = (virtualService: VirtualService | undefined, label: Label, place: number): Row => {
    if (virtualService === undefined) return { virtualService, place, routes: NOTHING, host: undefined };
    const routes = routesOfVirtualService(virtualService, find, frame);
    return { virtualService, place, routes, host: virtualHost(label, routes, frame) };
  };
  let last: { readonly rows: readonly Row[]; readonly lists: Pick<BuiltHosts, "clusters" | "from"> } | undefined;
  return ({ virtualServices }: EgressListener): BuiltHosts => {
    const before = last;
    const rows = virtualServiceHosts(allocation).map(({ place, label, at }, index) => {
      const known = before?.rows[index];
      return known !== undefined && known.virtualService === virtualServices[at] ? known : rowOf(virtualServices[at], label, place);
    });
    const lists = before !== undefined && equalLists(before.rows, rows, haveSameNames) ? before.lists : listsOf(services, rows);
    last = { rows, lists };
    const hosts = [...services.hosts];
    for (const { place, host } of rows) hosts[place] = host;
    return { hosts: hosts.filter((host) => host !== undefined), ...lists };
  };
});

function haveSameNames(a: Row, b: Row): boolean {
  return a === b || (equalLists(a.routes.clusters, b.routes.clusters) && equalKeyLists(a.routes.from, b.routes.from));
}

function listsOf(services: ServiceHosts, rows: readonly Row[]): Pick<BuiltHosts, "clusters" | "from"> {
  const others = new Set(rows.flatMap(({ routes }) => routes.clusters.filter((cluster) => !services.clusters.has(cluster))));
  return {
    clusters: others.size === 0 ? services.sortedClusters : [...services.sortedClusters, ...others].sort(compareText),
    from: [...services.from, ...rows.flatMap(({ routes }) => routes.from)],
  };
}

/** Where the hosts of VirtualServices stand among all. */
const virtualServiceHosts = memoize((allocation: Allocation) =>
  allocation.hosts.flatMap(({ label, routes }, place) => (routes.kind === "virtual-service" ? [{ place, label, at: routes.at }] : [])),
);

/**
 * The virtual host of one name whose protocol is detected. It takes every name that reaches it; in the odd case that several have the name, each
 * keeps its own (istio `httproute.go` getVirtualHostsForSniffedServicePort).
 */
export function buildHostsNamed(names: readonly string[], allocation: Allocation, view: HostView): BuiltHosts {
  const named = allocation.hosts.filter(({ label }) => names.some((name) => label.domains.includes(name)));
  const built = named.map((planned) => ({ planned, routes: routesFor(planned, view) }));
  return {
    hosts: built.map(({ planned: { label }, routes }) =>
      virtualHost(built.length === 1 ? internLabel({ name: label.name, domains: ["*"] }) : label, routes, view.frame),
    ),
    clusters: [...new Set(built.flatMap(({ routes }) => routes.clusters))].sort(compareText),
    from: built.flatMap(({ routes }) => routes.from),
  };
}

/** Some of a listener's virtual hosts, each with its own names. */
export function buildPlannedHosts(planned: readonly PlannedHost[], view: HostView): BuiltHosts {
  const built = planned.map((one) => ({ label: one.label, routes: routesFor(one, view) }));
  return {
    hosts: built.map(({ label, routes }) => virtualHost(label, routes, view.frame)),
    clusters: [...new Set(built.flatMap(({ routes }) => routes.clusters))].sort(compareText),
    from: built.flatMap(({ routes }) => routes.from),
  };
}

/** What single virtual hosts are built from. */
export interface HostView {
  readonly listener: EgressListener;
  readonly scope: Scope;
  readonly frame: RouteFrame;
}

const NOTHING: RoutesFragment = { routes: [], catchesAll: false, clusters: [], from: [] };

function routesFor(planned: PlannedHost, { listener, scope, frame }: HostView): RoutesFragment {
  if (planned.routes.kind === "service") {
    const rules = rulesByHost(scope.services);
    const built = serviceRoutes(planned.routes, rules, frame);
    return { ...built, from: [...built.from, ...(rules.get(planned.routes.service.host)?.ruleSources ?? [])] };
  }
  const virtualService = listener.virtualServices[planned.routes.at];
  return virtualService === undefined ? NOTHING : routesOfVirtualService(virtualService, findDestination(listener, scope, frame), frame);
}

interface ServiceHosts {
  /** By place; nothing where a VirtualService's host stands. */
  readonly hosts: readonly (VirtualHostFragment | undefined)[];
  readonly clusters: ReadonlySet<string>;
  readonly sortedClusters: readonly string[];
  /** Rules in force: the services themselves are the allocation's. */
  readonly from: readonly ObjectKey[];
}

/** Services without VirtualService: nothing in them changes with the VirtualServices of others. */
const serviceHosts = memoize((allocation: Allocation, rules: RulesByHost, frame: RouteFrame): ServiceHosts => {
  const clusters = new Set<string>();
  const from: ObjectKey[] = [];
  const hosts = allocation.hosts.map(({ label, routes }) => {
    if (routes.kind !== "service") return undefined;
    const built = serviceRoutes(routes, rules, frame);
    for (const cluster of built.clusters) clusters.add(cluster);
    from.push(...(rules.get(routes.service.host)?.ruleSources ?? []));
    return virtualHost(label, built, frame);
  });
  return { hosts, clusters, sortedClusters: [...clusters].sort(compareText), from };
});

function serviceRoutes(source: Extract<PlannedHost["routes"], { readonly kind: "service" }>, rules: RulesByHost, frame: RouteFrame): RoutesFragment {
  const { host, scoped } = source.service;
  return defaultRoutes(source.port, scoped.service, rules.get(host)?.rule, frame);
}

/** One virtual host: encoded again only when its name, its domains or its routes are others. */
const virtualHost = memoize(
  (label: Label, { routes }: RoutesFragment, frame: RouteFrame): VirtualHostFragment =>
    // Field by field: there are thousands.
    encodeVirtualHost({ name: label.name, domains: label.domains, routes, requireTls: false, includeRequestAttemptCount: frame.includeAttemptCount }),
);
