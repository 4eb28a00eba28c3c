import type { MessageInitShape } from "@bufbuild/protobuf";
import { Cluster_DnsLookupFamily } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import type { DnsCacheConfigSchema } from "#proto/envoy/extensions/common/dynamic_forward_proxy/v3/dns_cache_pb.js";
import { CaresDnsResolverConfigSchema } from "#proto/envoy/extensions/network/dns_resolver/cares/v3/cares_dns_resolver_pb.js";
import { socketAddress } from "./address.ts";
import { packAny } from "./any.ts";

export interface DnsCacheFields {
  readonly name: string;
  readonly family: "v4" | "v6" | "all";
  /** Absent: Envoy's own limit. */
  readonly maxHosts?: number;
  /** Absent: Envoy's default resolver. */
  readonly resolver?: { readonly host: string; readonly port: number };
}

const FAMILIES = {
  v4: Cluster_DnsLookupFamily.V4_ONLY,
  v6: Cluster_DnsLookupFamily.V6_ONLY,
  all: Cluster_DnsLookupFamily.ALL,
} as const;

/** The cache that a dynamic forward proxy's filter and its cluster share; both must spell it alike. */
export function dnsCache(fields: DnsCacheFields): MessageInitShape<typeof DnsCacheConfigSchema> {
  return {
    name: fields.name,
    dnsLookupFamily: FAMILIES[fields.family],
    ...(fields.maxHosts !== undefined && { maxHosts: fields.maxHosts }),
    ...(fields.resolver && { typedDnsResolverConfig: caresResolver(fields.resolver) }),
  };
}

function caresResolver(resolver: { readonly host: string; readonly port: number }) {
  const typedConfig = packAny(CaresDnsResolverConfigSchema, { resolvers: [socketAddress(resolver.host, resolver.port)] });
  return { name: "envoy.network.dns_resolver.cares", typedConfig };
}
