import type { Duration } from "#core/lib/duration.ts";

/** A proxy's limits for the connections of its clients (ProxyConfig `connectionSettings`); absent fields are not set, 0 is. */
export interface ConnectionSettings {
  readonly profile: "SIDECAR" | "EDGE";
  readonly listenerBufferLimitBytes?: number;
  readonly httpIdleTimeout?: Duration;
  readonly httpMaxConnectionDuration?: Duration;
  readonly httpDrainTimeout?: Duration;
  readonly httpRequestTimeout?: Duration;
  readonly httpRequestHeadersTimeout?: Duration;
  readonly httpStreamIdleTimeout?: Duration;
  readonly httpMaxStreamDuration?: Duration;
  readonly httpMaxConcurrentStreams?: number;
  readonly http2InitialStreamWindowSize?: number;
  readonly http2InitialConnectionWindowSize?: number;
  readonly headersWithUnderscores?: "ALLOW" | "REJECT_REQUEST" | "DROP_HEADER";
  readonly mergeSlashes?: boolean;
  readonly escapedSlashes?: "KEEP_UNCHANGED" | "REJECT_REQUEST" | "UNESCAPE_AND_REDIRECT" | "UNESCAPE_AND_FORWARD";
}
