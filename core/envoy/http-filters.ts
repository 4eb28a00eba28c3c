import { memoize } from "#core/lib/memo.ts";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { FilterConfig_Protocol as Alpn, FilterConfigSchema as AlpnSchema } from "#proto/envoy/config/filter/http/alpn/v2alpha1/config_pb.js";
import { CorsSchema } from "#proto/envoy/extensions/filters/http/cors/v3/cors_pb.js";
import { FilterConfigSchema as ForwardProxySchema } from "#proto/envoy/extensions/filters/http/dynamic_forward_proxy/v3/dynamic_forward_proxy_pb.js";
import { HTTPFaultSchema } from "#proto/envoy/extensions/filters/http/fault/v3/fault_pb.js";
import { FilterConfigSchema as GrpcStatsSchema } from "#proto/envoy/extensions/filters/http/grpc_stats/v3/config_pb.js";
import { GrpcWebSchema } from "#proto/envoy/extensions/filters/http/grpc_web/v3/grpc_web_pb.js";
import { RouterSchema } from "#proto/envoy/extensions/filters/http/router/v3/router_pb.js";
import { HttpFilterSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { PluginConfigSchema } from "#proto/envoy/extensions/stats/config_pb.js";
import { type AnyMessage, packAny } from "./any.ts";
import { type DnsCacheFields, dnsCache } from "./dns-cache.ts";
import { typedStruct } from "./typed-struct.ts";

/** Encoded once, spliced wherever it stands. */
export type HttpFilter = Fragment<typeof HttpFilterSchema>;

export function httpFilter(name: string, config: AnyMessage): HttpFilter {
  return encodeFragment(HttpFilterSchema, { name, configType: { case: "typedConfig", value: config } });
}

const PEER_METADATA = "io.istio.http.peer_metadata.Config";
const DISCOVERY = [{ istio_headers: {} }, { workload_discovery: {} }];

/** Tells clients who this server is, and learns who they are. */
export const inboundPeerMetadata = memoize(() =>
  httpFilter(
    "istio.metadata_exchange",
    typedStruct(PEER_METADATA, { downstream_discovery: DISCOVERY, downstream_propagation: [{ istio_headers: {} }] }),
  ),
);

/** Likewise towards servers; `meshOnly` keeps the headers from clusters outside the mesh. */
export function outboundPeerMetadata(meshOnly: boolean): HttpFilter {
  const headers = meshOnly ? { skip_external_clusters: true } : {};
  const config = typedStruct(PEER_METADATA, { upstream_discovery: DISCOVERY, upstream_propagation: [{ istio_headers: headers }] });
  return httpFilter("istio.metadata_exchange", config);
}

export const grpcStats = memoize(() =>
  httpFilter(
    "envoy.filters.http.grpc_stats",
    packAny(GrpcStatsSchema, { emitFilterState: true, perMethodStatSpecifier: { case: "statsForAllMethods", value: { value: false } } }),
  ),
);

export const grpcWeb = memoize(() => httpFilter("envoy.filters.http.grpc_web", packAny(GrpcWebSchema, {})));

/** Offers ALPN that tells Istio's servers what protocol was detected here (istio `pilot/pkg/xds/filters`). */
export const istioAlpn = memoize(() =>
  httpFilter(
    "istio.alpn",
    packAny(AlpnSchema, {
      alpnOverride: [
        { upstreamProtocol: Alpn.HTTP10, alpnOverride: ["istio-http/1.0", "istio", "http/1.0"] },
        { upstreamProtocol: Alpn.HTTP11, alpnOverride: ["istio-http/1.1", "istio", "http/1.1"] },
        { upstreamProtocol: Alpn.HTTP2, alpnOverride: ["istio-h2", "istio", "h2"] },
      ],
    }),
  ),
);

/** These two do nothing until a route configures them. */
export const fault = memoize(() => httpFilter("envoy.filters.http.fault", packAny(HTTPFaultSchema, {})));
export const cors = memoize(() => httpFilter("envoy.filters.http.cors", packAny(CorsSchema, {})));

/** Istio's telemetry of requests. */
export function istioStats(disableHostHeaderFallback: boolean): HttpFilter {
  return httpFilter("istio.stats", packAny(PluginConfigSchema, { disableHostHeaderFallback }));
}

/** Resolves the host of each request. */
export function dynamicForwardProxy(cache: DnsCacheFields): HttpFilter {
  return httpFilter(
    "envoy.filters.http.dynamic_forward_proxy",
    packAny(ForwardProxySchema, { implementationSpecifier: { case: "dnsCacheConfig", value: dnsCache(cache) } }),
  );
}

/** The last filter; `suppressDebugHeaders` leaves out Envoy's own `x-envoy-…` headers. */
export function router(suppressDebugHeaders: boolean): HttpFilter {
  return httpFilter("envoy.filters.http.router", packAny(RouterSchema, { suppressEnvoyHeaders: suppressDebugHeaders }));
}
