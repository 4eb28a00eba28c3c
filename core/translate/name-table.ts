import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeNameTable, type NameInfo } from "#core/envoy/name-table.ts";
import { isAddress } from "#core/lib/address.ts";
import { groupBy } from "#core/lib/group.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Endpoint, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import { type AddressView, serviceAddresses, UNSPECIFIED } from "./service-address.ts";

/** The one name table of a proxy has no name. */
export const NAME_TABLE = "";

/** From where names are looked up. */
export interface NameView extends AddressView {
  readonly network: string;
  readonly endpointsOf: (service: Service) => ServiceEndpoints | undefined;
}

/**
 * Which addresses the proxy's own DNS gives for the hosts that its scope sees (istio `pkg/dns/server/name_table.go` BuildNameTable). Headless services have the
 * addresses of their ready endpoints, and a name for each Pod that has a subdomain. Routers have no egress listeners, and so an empty table.
 */
export function nameTable(scope: Scope, view: NameView): Resource {
  const table = new Map<string, NameInfo>();
  const from = new Set<ObjectKey>(scope.sidecar === undefined ? [] : [scope.sidecar]);
  for (const { services } of scope.egress) {
    for (const { service } of services) {
      const added = addService(table, service, view);
      for (const key of [...service.sources, ...added]) from.add(key);
    }
  }
  return makeResource("names", NAME_TABLE, encodeNameTable(table), NO_NEEDS, [...from]);
}

/** Does the table hang on endpoints, and so on the client's network? Only that of headless services does. */
export function readsEndpoints(scope: Scope): boolean {
  return scope.egress.some(({ services }) =>
    services.some(({ service }) => service.resolution === "passthrough" && service.defaultAddress === UNSPECIFIED),
  );
}

/** Adds what a service contributes; returns the objects of the endpoints that were read. */
function addService(table: Map<string, NameInfo>, service: Service, view: NameView): readonly ObjectKey[] {
  const addresses = serviceAddresses(service, view);
  const unspecified = addresses.indexOf(UNSPECIFIED);
  const own = (unspecified < 0 ? addresses : addresses.slice(0, unspecified)).filter(isAddress);
  const endpoints = unspecified >= 0 && service.resolution === "passthrough" ? headlessEndpoints(service, view) : [];
  for (const [host, info] of podNames(service, endpoints, view)) table.set(host, info);
  addHost(table, service, [...own, ...endpoints.map(({ address }) => address)]);
  return endpoints.flatMap(({ port, workload }) => [port.listedBy, ...workload.sources]);
}

/** Ready endpoints of the first port in the client's network; traffic to others would need a gateway, which plain addresses can't name. */
function headlessEndpoints(service: Service, view: NameView): readonly Endpoint[] {
  const [port] = service.ports;
  if (port === undefined) return [];
  return (view.endpointsOf(service)?.endpoints ?? []).filter((endpoint) => {
    const { servicePort, servicePortName } = endpoint.port;
    const { address, health, workload } = endpoint;
    if (servicePort === 0 ? servicePortName !== port.name : servicePort !== port.number) return false;
    if (!isAddress(address) || (health !== "healthy" && !service.publishNotReadyAddresses)) return false;
    const { network } = workload;
    return network === "" || view.network === "" || network === view.network;
  });
}

/** `hostname.subdomain` in the service's domain; Pods of the client's cluster hide those of others with the same name. */
function podNames(service: Service, endpoints: readonly Endpoint[], { cluster }: NameView): ReadonlyMap<string, NameInfo> {
  const dot = service.host.indexOf(".");
  if (dot < 0) return new Map();
  const named = endpoints.filter(({ workload }) => workload.subdomain !== "");
  const byName = groupBy(named, ({ workload }) => `${workload.hostName}.${workload.subdomain}`);
  const entries = [...byName].map(([shortname, members]) => {
    const own = members.filter(({ workload }) => workload.cluster === "" || cluster === "" || workload.cluster === cluster);
    const ips = (own.length > 0 ? own : members).map(({ address }) => address);
    return [`${shortname}${service.host.slice(dot)}`, { ips, registry: service.registry, shortname, namespace: service.namespace }] as const;
  });
  return new Map(entries);
}

/** Several ServiceEntries of one host join their addresses; a Kubernetes Service takes the name for itself. */
function addHost(table: Map<string, NameInfo>, service: Service, ips: readonly string[]): void {
  if (ips.length === 0) return;
  const known = table.get(service.host);
  const isKube = service.registry === "Kubernetes";
  if (known?.registry === "Kubernetes") return;
  if (known === undefined || isKube) {
    table.set(service.host, { ips, registry: service.registry, shortname: isKube ? service.name : "", namespace: isKube ? service.namespace : "" });
  } else {
    table.set(service.host, { ...known, ips: [...known.ips, ...ips] });
  }
}
