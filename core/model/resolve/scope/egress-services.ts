import { memoize } from "#core/lib/memo.ts";
import type { Service } from "#core/model/service.ts";
import type { SidecarPort } from "#core/model/sidecar.ts";
import { isVisible } from "../export-to.ts";
import { type ServiceIndex, visibleServices } from "../services/service-index.ts";
import { withAliases, withPorts } from "../services/trim-service.ts";
import { type EgressHosts, type ImportedHosts, importsService, isExcluded } from "./egress-hosts.ts";

/** What one egress listener asks for. */
export interface EgressQuery {
  readonly namespace: string;
  readonly hosts: EgressHosts;
  /** Only services that have this port count, and only with it; absent: all, whole. */
  readonly port?: SidecarPort;
}

/**
 * The services that an egress listener imports, in Istio's order (istio `model/sidecar.go` convertIstioListenerToWrapper, selectServices).
 * Of one host only one namespace survives: the client's, else one with a Kubernetes Service, else the first.
 */
export function egressServices(index: ServiceIndex, query: EgressQuery): readonly Service[] {
  const candidates = query.hosts.exactOnly ? exactServices(index, query) : visibleServices(index, query.namespace);
  const imported: Service[] = [];
  for (const service of candidates) {
    if (isExcluded(query.hosts, service.namespace, service.host)) continue;
    const found =
      importFrom(query, query.hosts.byNamespace.get(service.namespace), service) ?? importFrom(query, query.hosts.byNamespace.get("*"), service);
    if (found !== undefined) imported.push(found);
  }
  return oneNamespaceEach(imported, query.namespace);
}

function importFrom({ port }: EgressQuery, hosts: ImportedHosts | undefined, service: Service): Service | undefined {
  if (hosts === undefined || !importsService(hosts, service.host)) return undefined;
  const trimmed = port === undefined ? service : onlyPort(service, port.number);
  return trimmed === undefined ? undefined : withAliases(trimmed, (alias) => importsService(hosts, alias));
}

/** The first port of that number. */
export function onlyPort(service: Service, number: number): Service | undefined {
  const first = service.ports.find((port) => port.number === number);
  return first === undefined ? undefined : withPorts(service, (port) => port === first);
}

/** Hosts that are named one by one are looked up: then each (host, namespace) gives a single service, also where an entry has several addresses. */
function exactServices(index: ServiceIndex, { hosts, namespace }: EgressQuery): readonly Service[] {
  const found: Service[] = [];
  for (const [owner, imported] of hosts.byNamespace) {
    for (const host of imported.exact) {
      const service = index.byHost.get(host)?.get(owner);
      if (service !== undefined && isVisible(service.exportTo, namespace)) found.push(service);
    }
  }
  return found.sort((a, b) => (index.position.get(a) ?? 0) - (index.position.get(b) ?? 0));
}

function oneNamespaceEach(services: readonly Service[], clientNamespace: string): readonly Service[] {
  const chosen = new Map<string, Service>();
  for (const service of services) {
    const before = chosen.get(service.host);
    if (before === undefined || isBetter(service, before, clientNamespace)) chosen.set(service.host, service);
  }
  return services.filter((service) => chosen.get(service.host)?.namespace === service.namespace);
}

function isBetter(service: Service, before: Service, clientNamespace: string): boolean {
  if (service.namespace === clientNamespace) return true;
  return before.registry !== "Kubernetes" && service.registry === "Kubernetes" && before.namespace !== clientNamespace;
}

/** What a scope without egress listeners imports: everything visible. Namespaces that see alike share one value. */
export function defaultServices(index: ServiceIndex, namespace: string): readonly Service[] {
  return defaultServicesOf(index).get(index.special.has(namespace) ? namespace : "");
}

const defaultServicesOf = memoize((index: ServiceIndex) => {
  const known = new Map<string, readonly Service[]>();
  return {
    get(namespace: string): readonly Service[] {
      const found = known.get(namespace) ?? oneNamespaceEach(visibleServices(index, namespace), namespace);
      known.set(namespace, found);
      return found;
    },
  };
});
