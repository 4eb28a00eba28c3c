import type { ConnectionManagerSettings, ForwardClientCert } from "#core/envoy/http-connection-manager.ts";
import { seconds } from "#core/lib/duration.ts";
import { present } from "#core/lib/present.ts";
import type { ConnectionSettings } from "#core/model/connection-settings.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { NetworkRange } from "#core/model/network-range.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import type { Direction, FrameFeatures } from "./features.ts";

/** Settings of all connection managers of one direction; what single listeners add is left out, and for routers {@link edgeOf}. */
export type ConnectionFrame = Omit<ConnectionManagerSettings, "accessLogs" | "http2" | "allowAbsoluteUrl">;

/** Inbound listeners and routers call themselves that; outbound ones keep Envoy's name. */
const SERVER_NAME = "istio-envoy";

/** Mesh config's path normalization, then what a proxy's config says of headers and connections (istio `core/listener_builder.go`, `core/connection_settings.go`). */
export function connectionFrame(direction: Direction, config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): ConnectionFrame {
  const headers = proxyConfig.proxyHeaders;
  const { idleTimeout } = features;
  return {
    ...serverHeader(direction, headers),
    ...(headers?.requestIdDisabled && { generateRequestId: false }),
    acceptHttp10: features.http10,
    preserveHeaderCase: headers?.preserveHttp1HeaderCase ?? false,
    ...(direction === "inbound" && { forwardClientCert: forwardedCert(headers) }),
    ...pathNormalization(config.pathNormalization),
    appendForwardedPort: headers?.xForwardedPort ?? false,
    streamIdleTimeout: seconds(0),
    requestIdDecidesSampling: true,
    limits: { ...(idleTimeout && { idleTimeout }) },
    ...overrides(connectionSettings(direction, proxyConfig, config), idleTimeout),
  };
}

/** A server header of its own, or none at all: then what the application says is left alone. */
function serverHeader(direction: Direction, headers: ProxyConfig["proxyHeaders"]): Pick<ConnectionFrame, "serverName" | "passServerHeader"> {
  if (headers?.serverDisabled) return { serverName: "", passServerHeader: true };
  const fallback = direction === "outbound" ? "" : SERVER_NAME;
  return { serverName: headers?.serverValue || fallback, passServerHeader: false };
}

const CERT_MODES: ReadonlySet<string> = new Set(["SANITIZE", "FORWARD_ONLY", "APPEND_FORWARD", "SANITIZE_SET", "ALWAYS_FORWARD_ONLY"]);

/** How a client's certificate reaches the application in `x-forwarded-client-cert` (istio `util/proxy_headers.go`). */
function forwardedCert(headers: ProxyConfig["proxyHeaders"]): ForwardClientCert {
  const details = headers?.setCurrentClientCertDetails;
  const mode = headers?.forwardedClientCert ?? "";
  return {
    mode: CERT_MODES.has(mode) ? (mode as ForwardClientCert["mode"]) : "APPEND_FORWARD",
    subject: details?.subject ?? true,
    uri: details?.uri ?? true,
    dns: details?.dns ?? true,
    cert: details?.cert ?? false,
    chain: details?.chain ?? false,
  };
}

/**
 * At the edge of the mesh `gatewayTopology` decides, not `proxyHeaders`: how many proxies are trusted, and how a client's certificate reaches
 * applications; details of it only where the header is written at all; headers of the mesh's own are kept from `inside` (istio `gateway.go` buildGatewayConnectionManager).
 */
export function edgeOf(
  { gatewayTopology }: ProxyConfig,
  inside: readonly NetworkRange[],
): Pick<ConnectionFrame, "edge" | "forwardClientCert" | "clientCertHeader"> {
  const { forwardClientCertDetails, numTrustedProxies } = gatewayTopology;
  const mode = isCertMode(forwardClientCertDetails) ? forwardClientCertDetails : "SANITIZE_SET";
  const edge = { trustedHops: numTrustedProxies, inside };
  if (mode !== "APPEND_FORWARD" && mode !== "SANITIZE_SET") return { edge, clientCertHeader: mode };
  return { edge, forwardClientCert: { mode, subject: true, uri: true, dns: true, cert: true, chain: false } };
}

function isCertMode(text: string): text is ForwardClientCert["mode"] {
  return CERT_MODES.has(text);
}

function pathNormalization(mode: MeshConfig["pathNormalization"]): Pick<ConnectionFrame, "normalizePath" | "mergeSlashes" | "escapedSlashes"> {
  return {
    normalizePath: mode !== "NONE",
    mergeSlashes: mode === "MERGE_SLASHES" || mode === "DECODE_AND_MERGE_SLASHES",
    escapedSlashes: mode === "DECODE_AND_MERGE_SLASHES" ? "UNESCAPE_AND_FORWARD" : "KEEP_UNCHANGED",
  };
}

/** A proxy's own, else the mesh's; the profile `EDGE` gives routers cautious limits. */
export function connectionSettings(direction: Direction, proxyConfig: ProxyConfig, config: MeshConfig): ConnectionSettings | undefined {
  const settings = proxyConfig.connectionSettings ?? config.defaultConfig.connectionSettings;
  return direction === "gateway" && settings?.profile === "EDGE" ? { ...EDGE_DEFAULTS, ...settings } : settings;
}

/** Envoy's advice for edge proxies (istio `core/connection_settings.go` applyEdgeProfileDefaults). */
const EDGE_DEFAULTS: Omit<ConnectionSettings, "profile"> = {
  listenerBufferLimitBytes: 32 * 1024,
  httpIdleTimeout: seconds(3600),
  httpStreamIdleTimeout: seconds(300),
  httpRequestTimeout: seconds(300),
  httpRequestHeadersTimeout: seconds(60),
  httpMaxConcurrentStreams: 100,
  http2InitialStreamWindowSize: 64 * 1024,
  http2InitialConnectionWindowSize: 1024 * 1024,
  headersWithUnderscores: "REJECT_REQUEST",
  mergeSlashes: true,
  escapedSlashes: "UNESCAPE_AND_REDIRECT",
};

/** What `connectionSettings` overrides. */
function overrides(settings: ConnectionSettings | undefined, idleTimeout: FrameFeatures["idleTimeout"]): Partial<ConnectionFrame> {
  if (settings === undefined) return {};
  const { mergeSlashes, escapedSlashes, httpStreamIdleTimeout } = settings;
  return {
    ...(mergeSlashes !== undefined && { mergeSlashes }),
    ...(escapedSlashes !== undefined && { escapedSlashes }),
    ...(httpStreamIdleTimeout !== undefined && { streamIdleTimeout: httpStreamIdleTimeout }),
    limits: present({
      idleTimeout: settings.httpIdleTimeout ?? idleTimeout,
      maxConnectionDuration: settings.httpMaxConnectionDuration,
      maxStreamDuration: settings.httpMaxStreamDuration,
      requestTimeout: settings.httpRequestTimeout,
      requestHeadersTimeout: settings.httpRequestHeadersTimeout,
      drainTimeout: settings.httpDrainTimeout,
      maxConcurrentStreams: settings.httpMaxConcurrentStreams,
      initialStreamWindow: settings.http2InitialStreamWindowSize,
      initialConnectionWindow: settings.http2InitialConnectionWindowSize,
      headersWithUnderscores: settings.headersWithUnderscores,
    }),
  };
}
