import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeRouteConfiguration } from "#core/envoy/route-configuration.ts";
import { encodeVirtualHost } from "#core/envoy/virtual-host.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { EgressListener, Scope, ScopedService } from "#core/model/scope.ts";
import { type Allocation, allocateHosts, type PlannedHost } from "./routes/allocation.ts";
import { catchAllHost } from "./routes/catch-all.ts";
import { defaultRoutes } from "./routes/default-route.ts";
import type { FindDestination } from "./routes/destination.ts";
import { internLabel, internNaming, type Label } from "./routes/domains.ts";
import type { RoutesFragment } from "./routes/fragment.ts";
import { internFrame, type RouteFrame } from "./routes/frame.ts";
import { servicesOnListener } from "./routes/registry.ts";
import { parseRouteName, type RouteName } from "./routes/route-name.ts";
import type { RouteSettings } from "./routes/settings.ts";
import { routesOfVirtualService } from "./routes/virtual-service-routes.ts";

/** Longest body of a direct response: what Istio's validation allows. */
const MAX_DIRECT_RESPONSE_BODY = 1024 * 1024;

/**
 * The route configuration that a sidecar's listeners name (istio `httproute.go` buildSidecarOutboundHTTPRouteConfig): the virtual hosts of one
 * port, sorted by name, and one for unknown hosts; or of one host whose protocol is detected. A name that means nothing gives an empty one.
 */
export function routeConfiguration(name: string, scope: Scope, settings: RouteSettings): Resource {
  const meaning = parseRouteName(name);
  return meaning === undefined ? emptyConfiguration(name) : filledConfiguration(name, meaning, scope, settings);
}

function filledConfiguration(name: string, meaning: RouteName, scope: Scope, settings: RouteSettings): Resource {
  const { listener, port } = listenerFor(meaning, scope);
  const frame = internFrame({ ...settings.frame, port, tls: false, http3: false });
  const naming = internNaming({ ...settings.naming, portInNames: port === 0 });
  const allocation = listener === undefined ? NOTHING : allocateHosts(listener, frame, naming);
  const find = destinations(listener, frame, scope);
  const hosts = (meaning.kind === "host" ? onlyHost(allocation, name, meaning.host) : allocation.hosts).map((host) => {
    const routes = routesOf(host, frame, find);
    return { bytes: virtualHost(host.label, routes, frame), routes };
  });
  const last = meaning.kind === "host" ? undefined : catchAllHost(scope.outboundPolicy, frame);
  const bytes = encodeRouteConfiguration({
    name,
    virtualHosts: [...hosts.map((host) => host.bytes), ...(last === undefined ? [] : [last.bytes])],
    maxDirectResponseBodyBytes: MAX_DIRECT_RESPONSE_BODY,
    ignorePortInHostMatching: true,
  });
  const clusters = [...new Set([...hosts.flatMap(({ routes }) => routes.clusters), ...(last?.clusters ?? [])])].sort();
  const from = [...(scope.sidecar === undefined ? [] : [scope.sidecar]), ...allocation.from, ...hosts.flatMap(({ routes }) => routes.from)];
  return makeResource("routes", name, bytes, { ...NO_NEEDS, clusters }, unique(from));
}

const NOTHING: Allocation = { hosts: [], from: [] };

function emptyConfiguration(name: string): Resource {
  return makeResource("routes", name, encodeRouteConfiguration({ name, virtualHosts: [], ignorePortInHostMatching: false }), NO_NEEDS, []);
}

/**
 * The egress listener whose services a name means, and the port that its routes are for: 0 where it serves every port, as a Sidecar's HTTP
 * proxy does (istio `SidecarScope.GetEgressListenerForRDS`).
 */
function listenerFor(meaning: RouteName, { egress }: Scope): { readonly listener?: EgressListener; readonly port: number } {
  const wanted = meaning.kind === "every-port" ? 0 : meaning.port;
  const bind = meaning.kind === "every-port" ? meaning.bind : "";
  const listener = egress.find(({ port, bind: own }) => port === undefined || (port.number === wanted && (wanted !== 0 || own === bind)));
  const proxy = listener?.port?.protocol === "HTTP_PROXY";
  return { ...(listener === undefined ? {} : { listener }), port: proxy ? 0 : wanted };
}

/** Of a detected host: the virtual hosts that have its name; a single one then takes every name. */
function onlyHost(allocation: Allocation, routeName: string, host: string): readonly PlannedHost[] {
  const named = allocation.hosts.filter(({ label }) => label.domains.includes(routeName) || label.domains.includes(host));
  return named.length === 1 ? named.map(({ label, routes }) => ({ label: internLabel({ name: label.name, domains: ["*"] }), routes })) : named;
}

function routesOf({ routes }: PlannedHost, frame: RouteFrame, find: FindDestination): RoutesFragment {
  if (routes.kind === "virtual-service") return routesOfVirtualService(routes.virtualService, find, frame);
  const { host, scoped } = routes.service;
  return defaultRoutes(scoped.service, routes.port, find(host).rule, frame);
}

/** One virtual host: encoded again only when its name, its domains or its routes are others. */
const virtualHost = memoize(
  (label: Label, routes: RoutesFragment, frame: RouteFrame): Uint8Array =>
    encodeVirtualHost({
      name: label.name,
      domains: label.domains,
      routes: [routes.bytes],
      requireTls: false,
      includeRequestAttemptCount: frame.includeAttemptCount,
    }),
);

/** Destinations are looked up among the listener's services; the rule in force is the scope's. */
function destinations(listener: EgressListener | undefined, frame: RouteFrame, scope: Scope): FindDestination {
  const registry = listener === undefined ? undefined : servicesOnListener(listener, frame);
  const rules = rulesOf(scope.services);
  return (host) => {
    const found = registry?.get(host);
    const rule = rules.get(host);
    const [port, ...others] = found?.ports ?? [];
    return {
      ...(found === undefined ? {} : { service: found.scoped.service }),
      ...(port === undefined || others.length > 0 ? {} : { solePort: port.number }),
      ...(rule === undefined ? {} : { rule }),
    };
  };
}

const rulesOf = memoize((services: readonly ScopedService[]): ReadonlyMap<string, DestinationRule> => {
  const rules = new Map<string, DestinationRule>();
  for (const { service, rule } of services) if (rule !== undefined) rules.set(service.host, rule);
  return rules;
});

function unique(keys: readonly ObjectKey[]): readonly ObjectKey[] {
  return [...new Set(keys)];
}
