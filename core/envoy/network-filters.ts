import { memoize } from "#core/lib/memo.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { MongoProxySchema } from "#proto/envoy/extensions/filters/network/mongo_proxy/v3/mongo_proxy_pb.js";
import { FilterConfigSchema as SniForwardProxySchema } from "#proto/envoy/extensions/filters/network/sni_dynamic_forward_proxy/v3/sni_dynamic_forward_proxy_pb.js";
import { PluginConfigSchema } from "#proto/envoy/extensions/stats/config_pb.js";
import { type DnsCacheFields, dnsCache } from "./dns-cache.ts";
import { type NetworkFilter, networkFilter } from "./filter-chain.ts";
import { typedStruct } from "./typed-struct.ts";

/** Istio's own filter by which two proxies tell each other who they are. */
export const metadataExchangeFilter = memoize(() =>
  networkFilter(
    "istio.metadata_exchange",
    typedStruct("envoy.tcp.metadataexchange.config.MetadataExchange", { enable_discovery: true, protocol: "istio-peer-exchange" }),
  ),
);

/** Istio's telemetry of TCP connections. */
export function statsFilter(disableHostHeaderFallback: boolean): NetworkFilter {
  return networkFilter("istio.stats", packed(PluginConfigSchema, { disableHostHeaderFallback }));
}

export function mongoProxyFilter(statPrefix: string): NetworkFilter {
  return networkFilter("envoy.filters.network.mongo_proxy", packed(MongoProxySchema, { statPrefix }));
}

/** Resolves the name in a TLS ClientHello before the connection goes on. */
export function sniForwardProxyFilter(cache: DnsCacheFields, port: number): NetworkFilter {
  return networkFilter(
    "envoy.extensions.filters.network.sni_dynamic_forward_proxy",
    packed(SniForwardProxySchema, { dnsCacheConfig: dnsCache(cache), portSpecifier: { case: "portValue", value: port } }),
  );
}
