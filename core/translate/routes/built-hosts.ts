import { encodeVirtualHost, type VirtualHostFragment } from "#core/envoy/virtual-host.ts";
import { compareText } from "#core/lib/compare.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { EgressListener, Scope } from "#core/model/scope.ts";
import type { Allocation, PlannedHost } from "./allocation.ts";
import { defaultRoutes } from "./default-route.ts";
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
  const find = findDestination(listener, scope, frame);
  const hosts = [...services.hosts];
  const others = new Set<string>();
  const from = [...services.from];
  for (const { place, label, at } of virtualServiceHosts(allocation)) {
    const virtualService = listener.virtualServices[at];
    if (virtualService === undefined) continue;
    const built = routesOfVirtualService(virtualService, find, frame);
    hosts[place] = virtualHost(label, built, frame);
    for (const cluster of built.clusters) if (!services.clusters.has(cluster)) others.add(cluster);
    from.push(...built.from);
  }
  const clusters = others.size === 0 ? services.sortedClusters : [...services.sortedClusters, ...others].sort(compareText);
  return { hosts: hosts.filter((host) => host !== undefined), clusters, from };
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
  return defaultRoutes(scoped.service, source.port, rules.get(host)?.rule, frame);
}

/** One virtual host: encoded again only when its name, its domains or its routes are others. */
const virtualHost = memoize(
  (label: Label, { routes }: RoutesFragment, frame: RouteFrame): VirtualHostFragment =>
    encodeVirtualHost({ ...label, routes, requireTls: false, includeRequestAttemptCount: frame.includeAttemptCount }),
);
