import { memoize } from "#core/lib/memo.ts";
import type { BoundRule } from "#core/model/router.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import { destinationFacts, type FindDestination } from "../routes/destination.ts";
import { rulesByHost } from "../routes/find-destination.ts";

/** Destinations of a router's rule: the service of the rule's own namespace, else the one that the router's scope has (istio `buildNameToServiceMapForHTTPRoutes`). */
export function findDestination({ services }: BoundRule, scope: Scope): FindDestination {
  return finder(services, scope.services);
}

const finder = memoize((own: ReadonlyMap<string, Service>, services: readonly ScopedService[]): FindDestination => {
  const known = servicesByHost(services);
  const rules = rulesByHost(services);
  return (host) => {
    const service = own.get(host) ?? known.get(host);
    return destinationFacts(service, service?.ports, rules.get(host));
  };
});

const servicesByHost = memoize(
  (services: readonly ScopedService[]): ReadonlyMap<string, Service> => new Map(services.map(({ service }) => [service.host, service])),
);
