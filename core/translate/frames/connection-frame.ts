import type { ConnectionManagerSettings, ForwardClientCert } from "#core/envoy/http-connection-manager.ts";
import { seconds } from "#core/lib/duration.ts";
import { present } from "#core/lib/present.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import type { Direction, FrameFeatures } from "./features.ts";

/** Settings of all connection managers of one direction; what single listeners add is left out. */
export type ConnectionFrame = Omit<ConnectionManagerSettings, "accessLogs" | "http2" | "allowAbsoluteUrl">;

/** Inbound listeners call themselves that; outbound ones keep Envoy's name. */
const SERVER_NAME = "istio-envoy";

/** Mesh config's path normalization, then what a proxy's config says of headers and connections (istio `core/listener_builder.go`, `core/connection_settings.go`). */
export function connectionFrame(direction: Direction, config: MeshConfig, proxyConfig: ProxyConfig, features: FrameFeatures): ConnectionFrame {
  const headers = proxyConfig.proxyHeaders;
  const forwardClientCert = direction === "inbound" ? forwardedCert(headers) : undefined;
  const { idleTimeout } = features;
  return {
    ...serverHeader(direction, headers),
    ...(headers?.requestIdDisabled && { generateRequestId: false }),
    acceptHttp10: features.http10,
    preserveHeaderCase: headers?.preserveHttp1HeaderCase ?? false,
    ...(forwardClientCert && { forwardClientCert }),
    ...pathNormalization(config.pathNormalization),
    appendForwardedPort: headers?.xForwardedPort ?? false,
    streamIdleTimeout: seconds(0),
    requestIdDecidesSampling: true,
    limits: { ...(idleTimeout && { idleTimeout }) },
    ...connectionSettings(proxyConfig, config, idleTimeout),
  };
}

/** A server header of its own, or none at all: then what the application says is left alone. */
function serverHeader(direction: Direction, headers: ProxyConfig["proxyHeaders"]): Pick<ConnectionFrame, "serverName" | "passServerHeader"> {
  if (headers?.serverDisabled) return { serverName: "", passServerHeader: true };
  const fallback = direction === "inbound" ? SERVER_NAME : "";
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

function pathNormalization(mode: MeshConfig["pathNormalization"]): Pick<ConnectionFrame, "normalizePath" | "mergeSlashes" | "escapedSlashes"> {
  return {
    normalizePath: mode !== "NONE",
    mergeSlashes: mode === "MERGE_SLASHES" || mode === "DECODE_AND_MERGE_SLASHES",
    escapedSlashes: mode === "DECODE_AND_MERGE_SLASHES" ? "UNESCAPE_AND_FORWARD" : "KEEP_UNCHANGED",
  };
}

/** What `connectionSettings` overrides: a proxy's own, else the mesh's. */
function connectionSettings(proxyConfig: ProxyConfig, config: MeshConfig, idleTimeout: FrameFeatures["idleTimeout"]): Partial<ConnectionFrame> {
  const settings = proxyConfig.connectionSettings ?? config.defaultConfig.connectionSettings;
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
