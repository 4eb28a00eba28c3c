import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { type ClusterMessage, encodeCluster } from "#core/envoy/cluster.ts";
import { endpointDiscovery } from "#core/envoy/cluster-discovery.ts";
import { loadBalancer } from "#core/envoy/load-balancer.ts";
import { providerClientSocket } from "#core/envoy/provider-tls.ts";
import { firstOfEach } from "#core/lib/first-of-each.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import { acceptedIdentities } from "../clusters/identities.ts";
import { sourcesOf } from "../clusters/outbound-cluster.ts";
import type { ClusterSettings } from "../clusters/settings.ts";
import { outboundClusterName } from "../names.ts";
import { type EffectivePolicy, effectivePolicy } from "../policy/effective.ts";

/** Clusters of proxyless clients: for each port of a service the whole, then its subsets, all with endpoints by EDS (istio `grpcgen/cds.go`). */
export function grpcClusters({ services }: Scope, settings: ClusterSettings): readonly Resource[] {
  return services.flatMap((scoped) => clustersOf(scoped, settings));
}

const clustersOf = memoize((scoped: ScopedService, settings: ClusterSettings): readonly Resource[] => {
  const { service, rule } = scoped;
  if (service.resolution === "alias") return [];
  const subsets = ["", ...new Set((rule?.subsets ?? []).map(({ name }) => name))];
  const ports = service.ports.filter(({ protocol }) => protocol !== "UDP");
  const clusters = ports.flatMap((port) => subsets.map((subset) => grpcCluster(scoped, port, subset, settings)));
  return firstOfEach(clusters, ({ name }) => name);
});

function grpcCluster(scoped: ScopedService, port: ServicePort, subset: string, settings: ClusterSettings): Resource {
  const name = outboundClusterName(port.number, subset, scoped.service.host);
  const policy = effectivePolicy(scoped.rule, port.number, subset);
  const message: ClusterMessage = {
    name,
    altStatName: `${name};`,
    ...endpointDiscovery(name),
    ...balancing(policy),
    ...limits(policy),
    ...security(scoped, policy, settings),
  };
  return makeResource("clusters", name, encodeCluster(message), { ...NO_NEEDS, endpoints: [name] }, sourcesOf(scoped));
}

/** A hash is a ring, whatever algorithm the rule names; anything else is gRPC's own round robin: clients refuse clusters whose balancer they don't know. */
function balancing({ loadBalancer: wanted }: EffectivePolicy): ClusterMessage {
  const hash = wanted?.consistentHash;
  if (hash === undefined) return {};
  const size = hash.algorithm.kind === "ring-hash" ? hash.algorithm.minimumRingSize : hash.minimumRingSize;
  return loadBalancer({ kind: "ring-hash", ...(size > 0 && { minimumSize: size }) });
}

/** All that gRPC limits are requests (gRFC A32). */
function limits({ connectionPool }: EffectivePolicy): ClusterMessage {
  const maxRequests = connectionPool?.http?.http2MaxRequests ?? 0;
  return maxRequests > 0 ? { circuitBreakers: { thresholds: [{ maxRequests }] } } : {};
}

/** Mutual TLS only where a rule asks for it, and the client has certificates: gRPC can't find out whether a server takes it. */
function security({ derived }: ScopedService, { tls }: EffectivePolicy, { outbound }: ClusterSettings): ClusterMessage {
  if (tls?.mode !== "ISTIO_MUTUAL" || outbound.own === undefined) return {};
  const subjects = tls.subjectAltNames.length > 0 ? tls.subjectAltNames : acceptedIdentities(derived.identities, outbound);
  return { transportSocket: providerClientSocket(subjects) };
}
