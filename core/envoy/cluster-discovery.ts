import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import {
  Cluster_CommonLbConfigSchema,
  Cluster_DiscoveryType as Discovery,
  Cluster_DnsLookupFamily as Lookup,
  Cluster_LbPolicy as Policy,
} from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ApiVersion, ConfigSourceSchema } from "#proto/envoy/config/core/v3/config_source_pb.js";
import { TypedExtensionConfigSchema } from "#proto/envoy/config/core/v3/extension_pb.js";
import type { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { ClusterConfigSchema } from "#proto/envoy/extensions/clusters/dynamic_forward_proxy/v3/cluster_pb.js";
import { CaresDnsResolverConfigSchema } from "#proto/envoy/extensions/network/dns_resolver/cares/v3/cares_dns_resolver_pb.js";
import { packAny } from "./any.ts";
import type { ClusterMessage } from "./cluster.ts";
import { type DnsCacheFields, dnsCache } from "./dns-cache.ts";
import { durationMessage, ZERO_DURATION } from "./duration.ts";

export type Assignment = MessageInitShape<typeof ClusterLoadAssignmentSchema>;

/** The parts of a cluster that say where its hosts come from; later parts of the cluster may write over `lbConfig` and `lbPolicy`. */
export type DiscoveryPart = Pick<ClusterMessage, "clusterDiscoveryType" | "edsClusterConfig" | "loadAssignment" | "lbConfig" | "lbPolicy">;

const FROM_ADS = encodeFragment(ConfigSourceSchema, {
  configSourceSpecifier: { case: "ads", value: {} },
  initialFetchTimeout: ZERO_DURATION,
  resourceApiVersion: ApiVersion.V3,
});

/** Hosts come by EDS on the same stream, under the cluster's name. */
export function endpointDiscovery(serviceName: string): DiscoveryPart {
  return { clusterDiscoveryType: { case: "type", value: Discovery.EDS }, edsClusterConfig: { serviceName, edsConfig: FROM_ADS } };
}

/** The host is where the connection was going before it was captured, on another port if one is given. */
export function originalDestination(port?: number): DiscoveryPart {
  return {
    clusterDiscoveryType: { case: "type", value: Discovery.ORIGINAL_DST },
    lbPolicy: Policy.CLUSTER_PROVIDED,
    ...(port === undefined ? {} : { lbConfig: { case: "originalDstLbConfig", value: { upstreamPortOverride: port } } }),
  };
}

/** The hosts are these addresses, or nobody. */
export function fixedHosts(assignment?: Assignment): DiscoveryPart {
  return { clusterDiscoveryType: { case: "type", value: Discovery.STATIC }, ...(assignment === undefined ? {} : { loadAssignment: assignment }) };
}

export interface DnsFields {
  /** One name that stands for all hosts at once, instead of a host for every address. */
  readonly logical: boolean;
  readonly family: "v4" | "v6" | "all";
  readonly refreshRate: Duration;
  readonly assignment: Assignment;
}

const FAMILIES = { v4: Lookup.V4_ONLY, v6: Lookup.V6_ONLY, all: Lookup.ALL } as const;

/** Istio's limits for its resolver (`PILOT_DNS_CARES_UDP_MAX_QUERIES`, `PILOT_DNS_JITTER_DURATION`). */
const RESOLVER = encodeFragment(TypedExtensionConfigSchema, {
  name: "envoy.network.dns_resolver.cares",
  typedConfig: packAny(CaresDnsResolverConfigSchema, { udpMaxQueries: 100 }),
});
const JITTER = { seconds: 0n, nanos: 100_000_000 };

/** Host names of the assignment are resolved again and again, as their TTL says. */
export function nameResolution(fields: DnsFields): ClusterMessage {
  const type = { clusterDiscoveryType: { case: "type", value: fields.logical ? Discovery.LOGICAL_DNS : Discovery.STRICT_DNS } } as const;
  return { ...type, loadAssignment: fields.assignment, ...dnsSettings(fields) };
}

/** Written for every cluster that started out as one of names, whatever became of it. */
export function dnsSettings({ family, refreshRate }: Pick<DnsFields, "family" | "refreshRate">) {
  return {
    dnsLookupFamily: FAMILIES[family],
    typedDnsResolverConfig: RESOLVER,
    dnsJitter: JITTER,
    dnsRefreshRate: durationMessage(refreshRate),
    respectDnsTtl: true,
  };
}

/** Hosts are whatever requests name. `insecure`: TLS without a derived and checked server name is meant. */
export function forwardProxy(cache: DnsCacheFields, insecure: boolean): DiscoveryPart {
  const typedConfig = packAny(ClusterConfigSchema, {
    clusterImplementationSpecifier: { case: "dnsCacheConfig", value: dnsCache(cache) },
    allowInsecureClusterOptions: insecure,
  });
  return {
    clusterDiscoveryType: { case: "clusterType", value: { name: "envoy.clusters.dynamic_forward_proxy", typedConfig } },
    lbPolicy: Policy.CLUSTER_PROVIDED,
  };
}

/** Of every service cluster without any setting of its own. */
export const CALM_LB = encodeFragment(Cluster_CommonLbConfigSchema, { healthyPanicThreshold: { value: 0 } });
