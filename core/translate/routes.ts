import type { Resource } from "#core/edition/resource.ts";
import { compareText } from "#core/lib/compare.ts";
import { joined } from "#core/lib/joined.ts";
import { keyed } from "#core/lib/keyed.ts";
import { memoize } from "#core/lib/memo.ts";
import { equalKeyLists, type ObjectKey } from "#core/lib/object-key.ts";
import { steady } from "#core/lib/steady.ts";
import type { EgressListener, Scope } from "#core/model/scope.ts";
import { type Allocation, allocateHosts } from "./routes/allocation.ts";
import { type BuiltHosts, buildHosts, buildHostsNamed } from "./routes/built-hosts.ts";
import { catchAllHost } from "./routes/catch-all.ts";
import { configuration, emptyConfiguration } from "./routes/configuration.ts";
import { internNaming } from "./routes/domains.ts";
import { internFrame, type RouteFrame } from "./routes/frame.ts";
import { parseRouteName, type RouteName } from "./routes/route-name.ts";
import type { RouteSettings } from "./routes/settings.ts";

/**
 * The route configuration that a sidecar's listeners name (istio `httproute.go` buildSidecarOutboundHTTPRouteConfig): the virtual hosts of one
 * port, sorted by name, and one for unknown hosts; or of one host whose protocol is detected. A name that means nothing gives an empty one.
 */
export function routeConfiguration(name: string, scope: Scope, settings: RouteSettings): Resource {
  return configurations(scope, settings)(name, () => {
    const meaning = parseRouteName(name);
    return meaning === undefined ? emptyConfiguration(name) : filledConfiguration(name, meaning, scope, settings);
  });
}

const configurations = memoize((_scope: Scope, _settings: RouteSettings) => keyed<Resource>());

function filledConfiguration(name: string, meaning: RouteName, scope: Scope, settings: RouteSettings): Resource {
  const { listener, port } = listenerFor(meaning, scope);
  const frame = internFrame({ ...settings.frame, port, tls: false, http3: false });
  const built = listener === undefined ? NOTHING : hostsFor(name, meaning, { listener, scope, frame, settings });
  const last = meaning.kind === "host" ? undefined : catchAllHost(scope.outboundPolicy, frame);
  return configuration(name, {
    virtualHosts: last === undefined ? built.hosts : [...built.hosts, last.host],
    clusters: withCluster(built.clusters, last?.cluster),
    from: joined(scope.sidecar === undefined ? NO_SOURCES : sidecarSources(scope.sidecar), built.from),
  });
}

const NO_SOURCES: readonly ObjectKey[] = [];
const sidecarSources = memoize((sidecar: ObjectKey): readonly ObjectKey[] => [sidecar]);

/** Adds a name to sorted ones; the same list for the same ones. */
function withCluster(clusters: readonly string[], cluster: string | undefined): readonly string[] {
  return cluster === undefined ? clusters : additions(clusters)(cluster, () => inserted(clusters, cluster));
}

const additions = memoize((_clusters: readonly string[]) => keyed<readonly string[]>());

function inserted(clusters: readonly string[], cluster: string): readonly string[] {
  if (clusters.includes(cluster)) return clusters;
  const at = clusters.findIndex((other) => compareText(other, cluster) > 0);
  return clusters.toSpliced(at < 0 ? clusters.length : at, 0, cluster);
}

interface PortView {
  readonly listener: EgressListener;
  readonly scope: Scope;
  readonly frame: RouteFrame;
  readonly settings: RouteSettings;
}

const NOTHING: BuiltHosts = { hosts: [], clusters: [], from: [] };

function hostsFor(name: string, meaning: RouteName, { listener, scope, frame, settings }: PortView): BuiltHosts {
  const naming = internNaming({ ...settings.naming, portInNames: frame.port === 0 });
  const allocation = allocateHosts(listener, frame, naming);
  const built =
    meaning.kind === "host"
      ? buildHostsNamed([name, meaning.host], allocation, { listener, scope, frame })
      : buildHosts(allocation, listener, scope, frame);
  return { ...built, from: joined(steadyCandidates(allocation)(candidatesOf(allocation, listener)), allocation.services, built.from) };
}

function candidatesOf({ candidates }: Allocation, { virtualServices }: EgressListener): readonly ObjectKey[] {
  const sources: ObjectKey[] = [];
  for (const at of candidates) sources.push(...(virtualServices[at]?.sources ?? []));
  return sources;
}

/** The VirtualServices looked at are mostly the same objects after a change of one: then all lists that they are in are the same, too. */
const steadyCandidates = memoize((_allocation: Allocation) => steady(equalKeyLists));

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
