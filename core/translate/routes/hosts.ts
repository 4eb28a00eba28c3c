import { hostIndex, mostSpecific } from "#core/lib/host-index.ts";
import { hostsMatch, isWildcard } from "#core/lib/hostname.ts";
import type { EgressListener } from "#core/model/scope.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { RegisteredService } from "./registry.ts";

/** What a VirtualService's hosts stand for on one listener. */
export interface ClaimedHosts {
  readonly services: readonly RegisteredService[];
  /** Hosts that no service has, as the object writes them. */
  readonly others: readonly string[];
}

/**
 * Splits the hosts of a VirtualService: an exact host names its service, a wildcard every service that it covers and for which no other
 * VirtualService is more specific (istio `route.separateVSHostsAndServices`).
 */
export function claimHosts(
  virtualService: VirtualService,
  registry: ReadonlyMap<string, RegisteredService>,
  winners: ReadonlyMap<string, VirtualService>,
): ClaimedHosts {
  const services: RegisteredService[] = [];
  const others: string[] = [];
  const [exact, wildcards] = split(virtualService.hosts);
  for (const host of exact) {
    const found = registry.get(host.toLowerCase());
    if (found === undefined) others.push(host);
    else services.push(found);
  }
  for (const wildcard of wildcards) {
    const lower = wildcard.toLowerCase();
    const covered = [...registry.values()].filter(({ host }) => hostsMatch(host, lower));
    services.push(...covered.filter(({ host }) => winners.get(host) === virtualService));
    if (covered.length === 0) others.push(lower);
  }
  return { services, others };
}

/**
 * Does a host of the VirtualService name or cover one of these services? Only such VirtualServices count on ports other than 80
 * (istio `httproute.go` selectVirtualServices).
 */
export function touchesService(virtualService: VirtualService, registry: ReadonlyMap<string, RegisteredService>): boolean {
  return virtualService.hosts.some((host) => {
    const lower = host.toLowerCase();
    if (registry.has(lower)) return true;
    if (isWildcard(lower)) return someHost(registry, (service) => hostsMatch(lower, service));
    return someHost(registry, (service) => isWildcard(service) && hostsMatch(lower, service));
  });
}

/** For each service of a listener, by its host as registered, the VirtualService with the most specific host; equal hosts: the first listed. */
export function mostSpecificVirtualServices(listener: EgressListener): ReadonlyMap<string, VirtualService> {
  const byHost = new Map<string, VirtualService>();
  for (const virtualService of listener.virtualServices) {
    for (const host of virtualService.hosts) if (!byHost.has(host)) byHost.set(host, virtualService);
  }
  const index = hostIndex(byHost);
  const winners = new Map<string, VirtualService>();
  for (const { service } of listener.services) {
    const winner = mostSpecific(index, service.host);
    if (winner !== undefined) winners.set(service.host, winner);
  }
  return winners;
}

function split(hosts: readonly string[]): readonly [exact: readonly string[], wildcards: readonly string[]] {
  return [hosts.filter((host) => !isWildcard(host)), hosts.filter(isWildcard)];
}

function someHost(registry: ReadonlyMap<string, RegisteredService>, fits: (host: string) => boolean): boolean {
  for (const host of registry.keys()) if (fits(host)) return true;
  return false;
}
