import { cors, fault, grpcStats, inboundPeerMetadata, istioAlpn, outboundPeerMetadata, router } from "#core/envoy/http-filters.ts";
import { metadataExchangeFilter } from "#core/envoy/network-filters.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import { type AccessLogs, meshAccessLogs } from "./access-logs.ts";
import { type ConnectionFrame, connectionFrame, connectionSettings } from "./connection-frame.ts";
import type { Direction, FrameFeatures } from "./features.ts";
import type { HttpFilterSlots, NetworkFilterSlots } from "./filter-slots.ts";
import { meshMetrics } from "./metrics.ts";
import { meshTracing, type TracingFrame } from "./tracing.ts";

/** What all listeners of one direction share. One value: what is made with it is remembered by its identity. */
export interface ClassFrame {
  readonly direction: Direction;
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
const internFeatures = interner<FrameFeatures>();

/** The frame that mesh config and a proxy's own config give; policies of workloads add to it. Equal arguments give one frame. */
export function meshFrame(config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): Frame {
  const { http10, idleTimeout } = features;
  return frameOf(config, internConfig(proxyConfig), internFeatures({ http10, ...(idleTimeout && { idleTimeout }) }));
}

/** The frame of a router's listeners. */
export function gatewayFrame(config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): ClassFrame {
  const { http10, idleTimeout } = features;
  return gatewayFrameOf(config, internConfig(proxyConfig), internFeatures({ http10, ...(idleTimeout && { idleTimeout }) }));
}

const gatewayFrameOf = memoize(
  (config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): ClassFrame => classFrame("gateway", config, proxyConfig, features),
);

const frameOf = memoize(
  (config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): Frame => ({
    inbound: classFrame("inbound", config, proxyConfig, features),
    outbound: classFrame("outbound", config, proxyConfig, features),
  }),
);

function classFrame(direction: Direction, config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): ClassFrame {
  const metrics = meshMetrics(config, direction);
  const tracing = meshTracing(config, proxyConfig);
  const bufferLimit = direction === "gateway" ? connectionSettings(direction, proxyConfig, config)?.listenerBufferLimitBytes : undefined;
  const own = direction === "inbound" ? inboundFilters(proxyConfig) : outboundFilters(proxyConfig);
  return {
    direction,
    accessLogs: meshAccessLogs(config),
    httpFilters: { ...own, ...metrics.http },
    networkFilters: { ...(direction === "inbound" && { "peer-metadata": [metadataExchangeFilter()] }), ...metrics.network },
    ...(tracing && { tracing }),
    connection: connectionFrame(direction, config, proxyConfig, features),
    ...(bufferLimit !== undefined && { bufferLimit }),
    requests: {
      attemptCount: !(proxyConfig.proxyHeaders?.attemptCountDisabled ?? false),
      forwardedHost: proxyConfig.proxyHeaders?.xForwardedHost ?? false,
    },
  };
}

function inboundFilters(proxyConfig: ProxyConfig): HttpFilterSlots {
  return { "peer-metadata": [inboundPeerMetadata()], ...commonFilters(proxyConfig) };
}

function outboundFilters(proxyConfig: ProxyConfig): HttpFilterSlots {
  const meshOnly = proxyConfig.proxyHeaders?.metadataExchangeInMesh ?? false;
  return { "peer-metadata": [outboundPeerMetadata(meshOnly)], alpn: [istioAlpn()], ...commonFilters(proxyConfig) };
}

function commonFilters(proxyConfig: ProxyConfig): HttpFilterSlots {
  const suppressDebugHeaders = proxyConfig.proxyHeaders?.envoyDebugHeadersDisabled ?? false;
  return { "grpc-stats": [grpcStats()], fault: [fault()], cors: [cors()], router: [router(suppressDebugHeaders)] };
}
