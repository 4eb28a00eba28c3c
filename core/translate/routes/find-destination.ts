import { memoize } from "#core/lib/memo.ts";
import type { EgressListener, Scope, ScopedService } from "#core/model/scope.ts";
import { destinationFacts, type FindDestination, type WeighedRule } from "./destination.ts";
import type { RouteFrame } from "./frame.ts";
import { type RegisteredService, servicesOnListener } from "./registry.ts";

/** Destinations are looked up among the services of the listener; the rule in force is the scope's. Equal views give one function. */
export function findDestination(listener: EgressListener, scope: Scope, frame: RouteFrame): FindDestination {
  return finder(servicesOnListener(listener.services, frame), rulesByHost(scope.services));
}

const finder = memoize((registry: ReadonlyMap<string, RegisteredService>, rules: RulesByHost): FindDestination => {
  return (host) => {
    const found = registry.get(host);
    return destinationFacts(found?.scoped.service, found?.ports, rules.get(host));
  };
});

export type RulesByHost = ReadonlyMap<string, WeighedRule>;

/** The rules in force for a scope's clients, by host as registered; hosts that no rule was weighed for are left out. */
export const rulesByHost = memoize((services: readonly ScopedService[]): RulesByHost => {
  const rules = new Map<string, WeighedRule>();
  for (const scoped of services) if (scoped.rule !== undefined || scoped.ruleSources.length > 0) rules.set(scoped.service.host, scoped);
  return rules;
});
