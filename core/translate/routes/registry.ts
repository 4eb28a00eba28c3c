import { memoize } from "#core/lib/memo.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { RouteFrame } from "./frame.ts";

/** A service as one listener's routes see it. */
export interface RegisteredService {
  /** Name in routes and their clusters. */
  readonly host: string;
  readonly scoped: ScopedService;
  /** The listener's port alone; all of them where the listener serves every port. */
  readonly ports: readonly ServicePort[];
}

/**
 * The services that the routes of one listener know, by host: those with its port (UDP excluded), of two of one name the later
 * (istio `httproute.go` BuildSidecarOutboundVirtualHosts).
 */
export const servicesOnListener = memoize((services: readonly ScopedService[], { port }: RouteFrame): ReadonlyMap<string, RegisteredService> => {
  const registry = new Map<string, RegisteredService>();
  for (const scoped of services) {
    const host = registryHost(scoped.service.host, port);
    const ports = port === 0 ? scoped.service.ports : firstOn(scoped.service.ports, port);
    if (port === 0 || ports.length > 0) registry.set(host, { host, scoped, ports });
  }
  return registry;
});

/** Names are compared in lower case, but not where a listener serves every port. */
export function registryHost(host: string, listenerPort: number): string {
  return listenerPort === 0 ? host : host.toLowerCase();
}

function firstOn(ports: readonly ServicePort[], number: number): readonly ServicePort[] {
  const found = ports.find((port) => port.number === number && port.protocol !== "UDP");
  return found === undefined ? [] : [found];
}
