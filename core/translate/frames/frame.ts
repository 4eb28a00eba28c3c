import { cors, fault, grpcStats, inboundPeerMetadata, istioAlpn, outboundPeerMetadata, router } from "#core/envoy/http-filters.ts";
import { metadataExchangeFilter } from "#core/envoy/network-filters.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { NetworkRange } from "#core/model/network-range.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import { type AccessLogs, meshAccessLogs } from "./access-logs.ts";
import { type ConnectionFrame, connectionFrame, connectionSettings, edgeOf } from "./connection-frame.ts";
import { type Direction, type FrameClient, type FrameFeatures, frameFeatures } from "./features.ts";
import type { HttpFilterSlots, NetworkFilterSlots } from "./filter-slots.ts";
import { meshMetrics } from "./metrics.ts";
import { meshTracing, type TracingFrame } from "./tracing.ts";

/** What all listeners of one direction share. One value: what is made with it is remembered by its identity. */
export interface ClassFrame {
  readonly direction: Direction;
  /** Istio's own filters are in the proxy: those that single listeners add depend on it, too. */
  readonly istioFilters: boolean;
  readonly accessLogs: AccessLogs;
  readonly httpFilters: HttpFilterSlots;
  readonly networkFilters: NetworkFilterSlots;
  /** Absent: nothing is traced. */
  readonly tracing?: TracingFrame;
  readonly connection: ConnectionFrame;
  /** Bytes that a connection of a router may buffer; absent: Envoy's own limit. */
  readonly bufferLimit?: number;
  /** What routes that are part of a listener add to requests. */
  readonly requests: { readonly attemptCount: boolean; readonly forwardedHost: boolean };
}

/** What all listeners of a workload share. */
export interface Frame {
  readonly inbound: ClassFrame;
  readonly outbound: ClassFrame;
}

const internConfig = interner<ProxyConfig>();

/** The frame that mesh config and a proxy's own config give; policies of workloads add to it. Equal arguments give one frame. */
export function meshFrame(config: MeshConfig, proxyConfig: ProxyConfig, client: FrameClient): Frame {
  return frameOf(config, internConfig(proxyConfig), frameFeatures(client));
}

/** The frame of a router's listeners; `inside`: addresses of the mesh's networks. */
export function gatewayFrame(config: MeshConfig, proxyConfig: ProxyConfig, client: FrameClient, inside: readonly NetworkRange[]): ClassFrame {
  return gatewayFrameOf(config, internConfig(proxyConfig), frameFeatures(client), inside);
}

const gatewayFrameOf = memoize(
  (config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures, inside: readonly NetworkRange[]): ClassFrame => {
    const frame = classFrame("gateway", config, proxyConfig, features);
    return { ...frame, connection: { ...frame.connection, ...edgeOf(proxyConfig, inside) } };
  },
);

const frameOf = memoize(
  (config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): Frame => ({
    inbound: classFrame("inbound", config, proxyConfig, features),
    outbound: classFrame("outbound", config, proxyConfig, features),
  }),
);

function classFrame(direction: Direction, config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): ClassFrame {
  const tracing = meshTracing(config, proxyConfig);
  const bufferLimit = direction === "gateway" ? connectionSettings(direction, proxyConfig, config)?.listenerBufferLimitBytes : undefined;
  const istio = features.istioFilters ? istioFilters(direction, config, proxyConfig) : NO_FILTERS;
  return {
    direction,
    istioFilters: features.istioFilters,
    accessLogs: meshAccessLogs(config, features),
    httpFilters: { ...commonFilters(proxyConfig), ...istio.http },
    networkFilters: istio.network,
    ...(tracing && { tracing }),
    connection: connectionFrame(direction, config, proxyConfig, features),
    ...(bufferLimit !== undefined && { bufferLimit }),
    requests: {
      attemptCount: !(proxyConfig.proxyHeaders?.attemptCountDisabled ?? false),
      forwardedHost: proxyConfig.proxyHeaders?.xForwardedHost ?? false,
    },
  };
}

const NO_FILTERS: { readonly http: HttpFilterSlots; readonly network: NetworkFilterSlots } = { http: {}, network: {} };

/** What only Istio's proxy has. */
function istioFilters(direction: Direction, config: MeshConfig, proxyConfig: ProxyConfig): typeof NO_FILTERS {
  const metrics = meshMetrics(config, direction);
  if (direction === "inbound") {
    return {
      http: { "peer-metadata": [inboundPeerMetadata()], ...metrics.http },
      network: { "peer-metadata": [metadataExchangeFilter()], ...metrics.network },
    };
  }
  const meshOnly = proxyConfig.proxyHeaders?.metadataExchangeInMesh ?? false;
  return { http: { "peer-metadata": [outboundPeerMetadata(meshOnly)], alpn: [istioAlpn()], ...metrics.http }, network: metrics.network };
}

function commonFilters(proxyConfig: ProxyConfig): HttpFilterSlots {
  const suppressDebugHeaders = proxyConfig.proxyHeaders?.envoyDebugHeadersDisabled ?? false;
  return { "grpc-stats": [grpcStats()], fault: [fault()], cors: [cors()], router: [router(suppressDebugHeaders)] };
}
