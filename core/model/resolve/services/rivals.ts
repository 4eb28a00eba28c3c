import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Service } from "../../service.ts";

/**
 * Lets services that share a host, whatever their namespaces, name each other's objects as sources: which of them a client sees, and what they bring each
 * other (endpoints, identities), is decided anew when one of them changes.
 */
export function withRivals(services: readonly Service[]): readonly Service[] {
  const byHost = groupBy(services, ({ host }) => host);
  if (byHost.size === services.length) return services;
  return services.map((service) => {
    const group = byHost.get(service.host) ?? [];
    return group.length < 2 ? service : joinSources(service, ...group);
  });
}

const joinSources = memoize((service: Service, ...group: readonly Service[]): Service => {
  const sources: ReadonlySet<ObjectKey> = new Set([...service.sources, ...group.flatMap((one) => one.sources)]);
  if (sources.size === service.sources.length) return service;
  return { ...service, sources: [...sources], ...hiddenPorts(service, group), ...otherPortNames(service, group) };
});

/**
 * Istio gives each port number of a name and namespace the endpoints that the last of its services finds by the name that it has for it, whichever service
 * a client sees, and reads them where clusters embed their endpoints (`push_context.go` initServiceRegistry, ServiceEndpointsByPort).
 */
function otherPortNames(service: Service, group: readonly Service[]): Pick<Service, "otherPortNames"> {
  if (service.resolution !== "dns" && service.resolution !== "dns-round-robin") return {};
  const near = group.filter(({ namespace }) => namespace === service.namespace).toReversed();
  const names = service.ports.flatMap(({ number, name }): readonly (readonly [number, readonly string[]])[] => {
    const all = near.flatMap(({ ports }) => ports.filter((port) => port.number === number).map((port) => port.name));
    return all.every((one) => one === name) ? [] : [[number, [...new Set(all)]]];
  });
  return names.length === 0 ? {} : { otherPortNames: Object.fromEntries(names) };
}

/** What a service hides where it stands for others of its host. */
export function hiddenPorts(service: Service, others: readonly Service[]): Pick<Service, "hiddenPorts"> {
  const own = new Set(service.ports.map(({ number }) => number));
  const all = others.flatMap((other) => [...other.ports.map(({ number }) => number), ...(other.hiddenPorts ?? [])]);
  const hidden = [...new Set([...(service.hiddenPorts ?? []), ...all])].filter((number) => !own.has(number)).sort((a, b) => a - b);
  return hidden.length === 0 ? {} : { hiddenPorts: hidden };
}
