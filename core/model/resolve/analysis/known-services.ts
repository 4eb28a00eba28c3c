import { groupBy } from "#core/lib/group.ts";
import { compareSpecificity, expandHost, isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { Service } from "#core/model/service.ts";
import { isVisible } from "../export-to.ts";

/** Finds the services that objects name. */
export interface KnownServices {
  /** The services of a host that the object's audience sees, those of Kubernetes first; else of the wildcard that covers it. None: it leads nowhere. */
  readonly find: (host: string, reference: Reference) => readonly Service[];
  /** Is there any service that a wildcard covers, for somebody in the namespace? */
  readonly covers: (wildcard: string, namespace: string) => boolean;
}

/** An object that names a host. */
export interface Reference {
  readonly namespace: string;
  /** For whom the object counts, as it says itself; empty: for everybody. */
  readonly exportTo: readonly string[];
}

/**
 * Hosts are compared in full, and exported ones seen from the object's own namespace, or from those that the object itself is exported to
 * (istio `analyzers/util/service_lookup.go` GetDestinationHost).
 */
export const knownServices = memoize((services: readonly Service[], config: MeshConfig): KnownServices => {
  const byHost = groupBy(services, ({ host }) => host);
  const wildcards = [...byHost.keys()].filter(isWildcard).sort(compareSpecificity);
  const seen = (host: string, viewers: readonly string[]): readonly Service[] =>
    kubernetesFirst((byHost.get(host) ?? []).filter(({ exportTo }) => viewers.some((viewer) => isVisible(exportTo, viewer))));
  return {
    find: (host, reference) => {
      const exact = seen(expandHost(host, reference.namespace, config.domainSuffix), viewersOf(reference));
      if (exact.length > 0) return exact;
      const tail = isWildcard(host) ? host.slice(1) : host;
      for (const wildcard of wildcards) {
        const found = tail.endsWith(wildcard.slice(1)) ? seen(wildcard, [reference.namespace]) : [];
        if (found.length > 0) return found;
      }
      return [];
    },
    covers: (wildcard, namespace) => services.some(({ host, exportTo }) => host.endsWith(wildcard.slice(1)) && isVisible(exportTo, namespace)),
  };
});

function viewersOf({ namespace, exportTo }: Reference): readonly string[] {
  return exportTo.length === 0 ? [namespace] : exportTo.map((viewer) => (viewer === "." ? namespace : viewer));
}

function kubernetesFirst(services: readonly Service[]): readonly Service[] {
  if (services.length < 2) return services;
  const isKubernetes = ({ registry }: Service) => registry === "Kubernetes";
  return [...services.filter(isKubernetes), ...services.filter((service) => !isKubernetes(service))];
}
