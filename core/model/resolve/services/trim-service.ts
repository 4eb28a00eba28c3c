import { memoize } from "#core/lib/memo.ts";
import type { Service, ServicePort } from "#core/model/service.ts";

const variantsOf = memoize((_service: Service) => new Map<string, Service>());

/** The same service with other ports and aliases; equal wishes give one identity. */
function variant(service: Service, key: string, make: () => Service): Service {
  const variants = variantsOf(service);
  const known = variants.get(key);
  if (known !== undefined) return known;
  const made = make();
  variants.set(key, made);
  return made;
}

/** Keeps the ports with these numbers, in the service's order; undefined if none is left. */
export function withPorts(service: Service, wanted: (port: ServicePort) => boolean): Service | undefined {
  const ports = service.ports.filter(wanted);
  if (ports.length === service.ports.length) return service;
  if (ports.length === 0) return undefined;
  return variant(service, `ports ${ports.map((port) => service.ports.indexOf(port)).join(",")}`, () => ({ ...service, ports }));
}

/** Adds the ports of `other` whose numbers are new, after the service's own. */
export function joinPorts(service: Service, other: Service): Service {
  const known = new Set(service.ports.map((port) => port.number));
  const added = other.ports.filter((port) => !known.has(port.number));
  if (added.length === 0) return service;
  const key = added.map((port) => `${port.number} ${port.protocol} ${port.name}`).join(",");
  return variant(service, `join ${key}`, () => ({
    ...service,
    ports: [...service.ports, ...added],
    sources: [...service.sources, ...newSources(service, other)],
  }));
}

function newSources(service: Service, other: Service): Service["sources"] {
  return other.sources.filter((key) => !service.sources.includes(key));
}

/** Keeps the aliases that a scope imports. */
export function withAliases(service: Service, wanted: (host: string) => boolean): Service {
  const aliases = service.aliases.filter((alias) => wanted(alias.host));
  if (aliases.length === service.aliases.length) return service;
  return variant(service, `aliases ${aliases.map((alias) => alias.host).join(",")}`, () => ({ ...service, aliases }));
}
