import { compareText } from "#core/lib/compare.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Service } from "../../service.ts";

type Aliases = Service["aliases"];

const internAliases = interner<Aliases>();

/**
 * Gives every service the ExternalName services that end at its host. Chains are followed to their end, loops lead nowhere
 * (istio `push_context.go` resolveServiceAliases).
 */
export function withAliases(services: readonly Service[]): readonly Service[] {
  const names = services.filter((service) => service.resolution === "alias");
  if (names.length === 0) return services;
  const nextHop = new Map(names.map((name) => [name.host, name.externalName ?? ""]));
  const ending = new Map<string, Service[]>();
  for (const name of names) {
    const end = followChain(name.host, nextHop);
    if (end !== undefined) ending.set(end, [...(ending.get(end) ?? []), name]);
  }
  return services.map((service) => {
    const found = ending.get(service.host);
    return found === undefined ? service : joinAliases(service, internAliases(sortAliases(found)), ...found);
  });
}

function followChain(alias: string, nextHop: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set([alias]);
  let host = nextHop.get(alias) ?? "";
  for (let next = nextHop.get(host); next !== undefined; next = nextHop.get(host)) {
    if (seen.has(host)) return undefined;
    seen.add(host);
    host = next;
  }
  return host;
}

function sortAliases(services: readonly Service[]): Aliases {
  return services
    .map(({ namespace, host }) => ({ namespace, host }))
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.host, b.host));
}

const joinAliases = memoize(
  (service: Service, aliases: Aliases, ...names: readonly Service[]): Service => ({
    ...service,
    aliases,
    sources: [...service.sources, ...names.flatMap((name) => name.sources)],
  }),
);
