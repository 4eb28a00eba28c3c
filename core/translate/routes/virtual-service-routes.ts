import { encodeRoute } from "#core/envoy/route.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { destinationHosts } from "#core/model/destination-hosts.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { Service } from "#core/model/service.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { DestinationFacts, FindDestination } from "./destination.ts";
import type { RoutesFragment } from "./fragment.ts";
import type { RouteFrame } from "./frame.ts";
import { type BuiltRoute, httpRoute } from "./http-route.ts";
import { fitsPort } from "./match.ts";

/** Has the VirtualService any route for this listener? If not, it claims nothing there. */
export function hasRoutes(virtualService: VirtualService, listenerPort: number): boolean {
  return virtualService.http.some(({ match }) => match.length === 0 || match.some((one) => fitsPort(one, listenerPort)));
}

/**
 * The routes of a VirtualService on one listener: one for each match that fits the port, in the order written, up to the first that takes every
 * request (istio `route.BuildHTTPRoutesForVirtualService`). `find` is a value that is remembered itself: while it stays, nothing is looked up.
 */
export const routesOfVirtualService = memoize((virtualService: VirtualService, find: FindDestination, frame: RouteFrame): RoutesFragment => {
  const facts = destinationHosts(virtualService).map((host) => find(host));
  return encodedRoutes(
    virtualService,
    frame,
    ...facts.flatMap(({ service, rule, ruleSources, solePort }) => [service, rule, ruleSources, portKey(solePort)]),
  );
});

function buildRoutes(virtualService: VirtualService, find: FindDestination, frame: RouteFrame): readonly BuiltRoute[] {
  const routes: BuiltRoute[] = [];
  for (const rule of virtualService.http) {
    const matches = rule.match.length === 0 ? [undefined] : rule.match.filter((match) => fitsPort(match, frame.port));
    for (const match of matches) {
      const built = httpRoute({ virtualService, rule, match }, find, frame);
      routes.push(built);
      if (built.catchAll) return routes;
    }
    if (rule.match.length === 0) return routes;
  }
  return routes;
}

type Read = Service | DestinationRule | readonly ObjectKey[] | PortKey | undefined;

/** Keyed by everything that the routes read: the object, the frame, and what is known of each destination. */
const encodedRoutes = memoize((virtualService: VirtualService, frame: RouteFrame, ...reads: readonly Read[]): RoutesFragment => {
  const facts = new Map(destinationHosts(virtualService).map((host, index) => [host, factsAt(reads, index)]));
  const routes = buildRoutes(virtualService, (host) => facts.get(host) ?? {}, frame);
  return {
    routes: routes.map(({ message }) => encodeRoute(message)),
    catchesAll: routes.at(-1)?.catchAll ?? false,
    clusters: [...new Set(routes.flatMap(({ clusters }) => clusters))],
    from: [
      ...virtualService.sources,
      ...[...facts.values()].flatMap(({ service, ruleSources = [] }) => [...(service?.sources ?? []), ...ruleSources]),
    ],
  };
});

function factsAt(reads: readonly Read[], index: number): DestinationFacts {
  const [service, rule, ruleSources, port] = reads.slice(4 * index, 4 * index + 4) as [Service?, DestinationRule?, (readonly ObjectKey[])?, PortKey?];
  return {
    ...(service === undefined ? {} : { service }),
    ...(rule === undefined ? {} : { rule }),
    ...(ruleSources === undefined ? {} : { ruleSources }),
    ...(port === undefined ? {} : { solePort: port.number }),
  };
}

/** A port number with an identity, for keys. */
interface PortKey {
  readonly number: number;
}

const internPort = interner<PortKey>();

function portKey(number: number | undefined): PortKey | undefined {
  return number === undefined ? undefined : internPort({ number });
}
