import { memoize } from "#core/lib/memo.ts";
import type { Service } from "#core/model/service.ts";

/** All services of the mesh, as scopes look them up. */
export interface ServiceIndex {
  /** By host and namespace: the oldest, but a Kubernetes Service before anything else (istio `push_context.go` initServiceRegistry). */
  readonly byHost: ReadonlyMap<string, ReadonlyMap<string, Service>>;
  readonly public: readonly Service[];
  /** Those that are only visible to some namespaces, by namespace. */
  readonly exported: ReadonlyMap<string, readonly Service[]>;
  /** Place in the order of age. */
  readonly position: ReadonlyMap<Service, number>;
  /**
   * Namespaces that may see another choice of services than everybody: something is exported to them by name, or they own a host that others own too,
   * or one that is not public (their VirtualServices may send to it even where they may not see it).
   */
  readonly special: ReadonlySet<string>;
}

/** Services by host and namespace, and which namespaces can not share what they see. */
export const serviceIndex = memoize((services: readonly Service[]): ServiceIndex => {
  const byHost = new Map<string, Map<string, Service>>();
  const exported = new Map<string, Service[]>();
  for (const service of services) {
    const owners = byHost.get(service.host) ?? new Map<string, Service>();
    byHost.set(service.host, owners);
    const existing = owners.get(service.namespace);
    if (existing === undefined || (existing.registry !== "Kubernetes" && service.registry === "Kubernetes")) owners.set(service.namespace, service);
    if (service.exportTo.kind !== "namespaces") continue;
    for (const namespace of service.exportTo.namespaces) exported.set(namespace, [...(exported.get(namespace) ?? []), service]);
  }
  return {
    byHost,
    public: services.filter((service) => service.exportTo.kind === "public"),
    exported,
    position: new Map(services.map((service, index) => [service, index])),
    special: new Set([...exported.keys(), ...contestedOwners(byHost), ...services.filter(isRestricted).map((service) => service.namespace)]),
  };
});

function contestedOwners(byHost: ServiceIndex["byHost"]): readonly string[] {
  return [...byHost.values()].flatMap((owners) => (owners.size > 1 ? [...owners.keys()] : []));
}

function isRestricted({ exportTo }: Service): boolean {
  return exportTo.kind !== "public";
}

/** What a namespace may see: first what is exported to it by name, then what is public, each by age (istio `push_context.go` servicesExportedToNamespace). */
export function visibleServices(index: ServiceIndex, namespace: string): readonly Service[] {
  const exported = index.exported.get(namespace);
  return exported === undefined ? index.public : [...exported, ...index.public];
}
