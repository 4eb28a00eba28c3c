import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeApiListener } from "#core/envoy/api-listener.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import { outboundClusterName } from "../names.ts";
import { type AddressView, serviceAddress, serviceAddresses } from "../service-address.ts";
import type { GrpcClient } from "./client.ts";

/** API listeners: one for each name by which a client of this namespace may ask for a port of a service that it sees (istio `grpcgen/lds.go`). */
export function apiListeners({ services }: Scope, client: GrpcClient): readonly Resource[] {
  const listeners = new Map<string, Resource>();
  const add = (resource: Resource): void => {
    if (!listeners.has(resource.name)) listeners.set(resource.name, resource);
  };
  // A host that somebody has goes before the short name of another one.
  for (const { service, importedBy } of services) for (const resource of listenersOf(service, importedBy, client).full) add(resource);
  for (const { service, importedBy } of services) for (const resource of listenersOf(service, importedBy, client).short) add(resource);
  return [...listeners.values()];
}

interface NamedListeners {
  readonly full: readonly Resource[];
  readonly short: readonly Resource[];
}

const listenersOf = memoize((service: Service, importedBy: readonly ObjectKey[], client: GrpcClient): NamedListeners => {
  const ports = service.ports.filter(({ protocol }) => protocol !== "UDP");
  const names = shortNames(service.host, client);
  const listened = { service, from: [...service.sources, ...importedBy], view: client.addresses };
  return {
    full: ports.map((port) => apiListener(service.host, port, listened)),
    short: names.flatMap((name) => ports.map((port) => apiListener(name, port, listened))),
  };
});

interface Listened {
  readonly service: Service;
  readonly from: readonly ObjectKey[];
  readonly view: AddressView;
}

function apiListener(host: string, { number: port }: ServicePort, { service, from, view }: Listened): Resource {
  const name = hostAndPort(host, port);
  const routes = outboundClusterName(port, "", service.host);
  const addresses = [serviceAddress(service, view), ...serviceAddresses(service, view).slice(1)];
  return makeResource("listeners", name, encodeApiListener({ name, addresses, port, routes }), { ...NO_NEEDS, routes: [routes] }, from);
}

/** Short forms of the hosts of the client's own domain; other namespaces' are only known in full (istio `grpcgen/lds.go` tryFindFQDN). */
function shortNames(host: string, { dnsDomain, namespace }: GrpcClient): readonly string[] {
  if (dnsDomain === "" || !host.endsWith(`.${dnsDomain}`)) return [];
  const short = host.slice(0, -dnsDomain.length - 1);
  const qualified = [namespace, `${namespace}.svc`].filter((suffix) => dnsDomain.startsWith(suffix)).map((suffix) => `${short}.${suffix}`);
  return short.includes(".") ? qualified : [short, ...qualified];
}
