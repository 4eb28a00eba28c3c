import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeRouteConfiguration } from "#core/envoy/route-configuration.ts";
import { groupBy } from "#core/lib/group.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import { hostsMatch, isWildcard } from "#core/lib/hostname.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { EgressListener, Scope, ScopedService } from "#core/model/scope.ts";
import { outboundClusterName } from "../names.ts";
import { type Allocation, allocateHosts, type PlannedHost } from "../routes/allocation.ts";
import { type BuiltHosts, buildPlannedHosts } from "../routes/built-hosts.ts";
import { internNaming, labelOfService } from "../routes/domains.ts";
import { internFrame, type RouteFrame } from "../routes/frame.ts";
import { servicesOnListener } from "../routes/registry.ts";
import type { RouteSettings } from "../routes/settings.ts";

/** Route configurations of proxyless clients: one for each port of a service, by its cluster's name, with the virtual hosts that have its host (istio `grpcgen/rds.go`). */
export function grpcRoutes(scope: Scope, settings: RouteSettings): readonly Resource[] {
  const made = new Map<string, Resource>();
  for (const scoped of scope.services) {
    for (const { number, protocol } of scoped.service.ports) {
      const name = outboundClusterName(number, "", scoped.service.host);
      if (protocol !== "UDP" && !made.has(name)) made.set(name, routesOf(name, { scoped, port: number }, scope, settings));
    }
  }
  return [...made.values()];
}

interface Target {
  readonly scoped: ScopedService;
  readonly port: number;
}

function routesOf(name: string, { scoped: { service, importedBy }, port }: Target, scope: Scope, settings: RouteSettings): Resource {
  const own = [...(scope.sidecar ? [scope.sidecar] : []), ...service.sources, ...importedBy];
  const listener = listenerFor(port, scope);
  if (listener === undefined) return finished(name, NOTHING, own);
  const host = service.host.toLowerCase();
  const frame = internFrame({ ...settings.frame, port, tls: false, http3: false, proxyless: true });
  const naming = internNaming({ ...settings.naming, portInNames: true });
  const allocation = allocateHosts(listener, frame, naming);
  const hosts = hostsNamed(allocation, host, port);
  const built = buildPlannedHosts(hosts, { listener, scope, frame });
  const wanted = service.ports.flatMap((one) => (one.number === port ? labelOfService(service, one, naming).domains : []));
  const lostTo = ownersOf(missing(wanted, hosts), allocation, { listener, frame });
  return finished(name, built, [...own, ...claimants(listener, host), ...lostTo]);
}

/** Domains that none of the hosts has. */
function missing(wanted: readonly string[], hosts: readonly PlannedHost[]): readonly string[] {
  return wanted.filter((domain) => !hosts.some(({ label }) => label.domains.includes(domain)));
}

/** Who has the domains: a service, or a VirtualService for one. */
function ownersOf(domains: readonly string[], allocation: Allocation, { listener, frame }: Place): readonly ObjectKey[] {
  const owners = domains.flatMap((domain) => hostIndex(allocation).exact.get(domain.toLowerCase()) ?? []);
  return owners.flatMap(({ label, routes }) => {
    if (routes.kind === "service") return routes.service.scoped.service.sources;
    const service = servicesOnListener(listener.services, frame).get(label.name.slice(0, label.name.lastIndexOf(":")));
    return [...(listener.virtualServices[routes.at]?.sources ?? []), ...(service?.scoped.service.sources ?? [])];
  });
}

interface Place {
  readonly listener: EgressListener;
  readonly frame: RouteFrame;
}

const NOTHING: BuiltHosts = { hosts: [], clusters: [], from: [] };

function finished(name: string, { hosts, clusters, from }: BuiltHosts, own: readonly ObjectKey[]): Resource {
  return { ...encoded(internSpelling({ name, clusters }), ...hosts), from: [...new Set([...own, ...from])] };
}

/** The VirtualServices that a host might be another's, those that lost included. */
function claimants({ virtualServices }: EgressListener, host: string): readonly ObjectKey[] {
  const { exact, wildcards } = claims(virtualServices);
  return [...(exact.get(host) ?? []), ...wildcards.filter(({ pattern }) => hostsMatch(pattern, host))].flatMap(({ sources }) => sources);
}

interface Claim {
  readonly pattern: string;
  readonly sources: readonly ObjectKey[];
}

const claims = memoize((virtualServices: EgressListener["virtualServices"]) => {
  const all = virtualServices.flatMap(({ hosts, sources }) => hosts.map((host): Claim => ({ pattern: host.toLowerCase(), sources })));
  return {
    exact: groupBy(
      all.filter(({ pattern }) => !isWildcard(pattern)),
      ({ pattern }) => pattern,
    ),
    wildcards: all.filter(({ pattern }) => isWildcard(pattern)),
  };
});

interface Spelling {
  readonly name: string;
  readonly clusters: readonly string[];
}

const internSpelling = interner<Spelling>();

/** Encoded again only when one of its virtual hosts is another. */
const encoded = memoize(({ name, clusters }: Spelling, ...virtualHosts: BuiltHosts["hosts"]): Resource => {
  const bytes = encodeRouteConfiguration({ name, virtualHosts, ignorePortInHostMatching: false });
  return makeResource("routes", name, bytes, { ...NO_NEEDS, clusters }, []);
});

/** The egress listener that serves a port: the first with that port, or with none. */
function listenerFor(port: number, { egress }: Scope): EgressListener | undefined {
  return egress.find((listener) => listener.port === undefined || listener.port.number === port);
}

interface HostIndex {
  readonly exact: ReadonlyMap<string, readonly PlannedHost[]>;
  readonly wildcards: readonly { readonly domain: string; readonly planned: PlannedHost }[];
}

/** A listener has as many hosts as services: each is looked for once. */
const hostIndex = memoize(({ hosts }: Allocation): HostIndex => {
  const exact = new Map<string, PlannedHost[]>();
  const wildcards: { domain: string; planned: PlannedHost }[] = [];
  for (const planned of hosts) {
    for (const domain of planned.label.domains.map((one) => one.toLowerCase())) {
      if (isWildcard(domain)) wildcards.push({ domain, planned });
      else exact.set(domain, [...(exact.get(domain) ?? []), planned]);
    }
  }
  return { exact, wildcards };
});

/** The virtual hosts that a host means, in their order (istio `grpcgen/rds.go` filterVirtualHostsForHostname). */
function hostsNamed(allocation: Allocation, host: string, port: number): readonly PlannedHost[] {
  const { exact, wildcards } = hostIndex(allocation);
  const covering = wildcards.filter(({ domain }) => {
    const [pattern = "", own = ""] = domain.split(":", 2);
    return (own === "" || own === String(port)) && hostsMatch(pattern, host);
  });
  const found = new Set([...(exact.get(host) ?? []), ...(exact.get(hostAndPort(host, port)) ?? []), ...covering.map(({ planned }) => planned)]);
  return found.size < 2 ? [...found] : allocation.hosts.filter((planned) => found.has(planned));
}
