import type { Resource } from "#core/edition/resource.ts";
import { firstOfEach } from "#core/lib/first-of-each.ts";
import { isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import { outboundClusterName, outboundServerName } from "../names.ts";
import { effectivePolicy } from "../policy/effective.ts";
import { forwardProxyCluster } from "./forward-proxy.ts";
import { type Hosts, keepsDestination, outboundCluster } from "./outbound-cluster.ts";
import type { ClusterSettings } from "./settings.ts";

const EDS: Hosts = { kind: "eds" };
const ORIGINAL: Hosts = { kind: "original-destination" };

/** How the clusters of a service are named: for sidecars and gateways, or for gateways that hand TLS on by server name. */
export type ClusterNames = "default" | "sni-dnat";

/** Are the service's endpoints part of its clusters, so that these are seen differently from each place? */
export function isInline({ resolution }: Service): boolean {
  return resolution === "dns" || resolution === "dns-round-robin";
}

/** A wildcard whose names are resolved when they are asked for: it has no subsets. */
export function isDynamic({ resolution, host }: Service): boolean {
  return resolution === "dynamic-dns" && isWildcard(host);
}

/**
 * Clusters of a service whose hosts don't come with them: for each port the whole service, then its subsets (istio buildOutboundClusters). Of several of one
 * name the first counts, as everywhere (`cluster_builder.go` normalizeClusters).
 */
export const serviceClusters = memoize((scoped: ScopedService, settings: ClusterSettings): readonly Resource[] => {
  const { service } = scoped;
  if (service.resolution === "alias" || isInline(service)) return [];
  const ports = service.ports.filter((port) => port.protocol !== "UDP");
  const clusters = isDynamic(service)
    ? ports.flatMap((port) => forwardProxyCluster(scoped, port, settings))
    : ports.flatMap((port) => portClusters(scoped, port, { names: "default", settings }));
  return firstOfEach(clusters, ({ name }) => name);
});

/** The same for gateways that hand TLS on; services outside the mesh can't be reached that way (istio buildOutboundSniDnatClusters). */
export const sniDnatClusters = memoize((scoped: ScopedService, settings: ClusterSettings): readonly Resource[] => {
  const { service } = scoped;
  if (service.meshExternal || isInline(service)) return [];
  const ports = service.ports.filter((port) => port.protocol !== "UDP");
  const clusters = ports.flatMap((port) => portClusters(scoped, port, { names: "sni-dnat", settings }));
  return firstOfEach(clusters, ({ name }) => name);
});

function portClusters(
  scoped: ScopedService,
  port: ServicePort,
  { names, settings }: { readonly names: ClusterNames; readonly settings: ClusterSettings },
): readonly Resource[] {
  const hosts = scoped.service.resolution === "passthrough" && settings.outbound.knowsDestination ? ORIGINAL : EDS;
  const whole = outboundCluster({ scoped, port, hosts, ...namesOf(names, scoped.service, port) }, settings);
  const subsets = isDynamic(scoped.service) ? [] : (scoped.rule?.subsets ?? []);
  if (subsets.length === 0) return [whole];
  const inherited = keepsDestination(hosts, effectivePolicy(scoped.rule, port.number)) ? ORIGINAL : hosts;
  const parts = subsets.map((subset) => {
    const own = subset.policy?.loadBalancer?.simple === "PASSTHROUGH" ? ORIGINAL : inherited;
    return outboundCluster({ scoped, port, subset, hosts: own, ...namesOf(names, scoped.service, port, subset.name) }, settings);
  });
  return [whole, ...parts];
}

/** Name of a cluster, and of its server if TLS ends there. */
export function namesOf(
  names: ClusterNames,
  { host }: Service,
  { number }: ServicePort,
  subset = "",
): { readonly name: string; readonly serverName?: string } {
  const serverName = outboundServerName(number, subset, host);
  return names === "sni-dnat" ? { name: serverName } : { name: outboundClusterName(number, subset, host), serverName };
}
