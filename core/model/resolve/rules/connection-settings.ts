import { present } from "#core/lib/present.ts";
import type { ConnectionSettings } from "#core/model/connection-settings.ts";
import {
  ProxyConfig_ConnectionSettings_PathWithEscapedSlashesAction as EscapedSlashes,
  type ProxyConfig_ConnectionSettings as Message,
  ProxyConfig_ConnectionSettings_Profile as Profile,
  ProxyConfig_ConnectionSettings_HeadersWithUnderscoresAction as Underscores,
} from "#proto/mesh/v1alpha1/proxy_pb.js";
import { durationOf } from "./proto-duration.ts";

const UNDERSCORES = {
  [Underscores.HEADERS_WITH_UNDERSCORES_UNSPECIFIED]: undefined,
  [Underscores.HEADERS_WITH_UNDERSCORES_ALLOW]: "ALLOW",
  [Underscores.HEADERS_WITH_UNDERSCORES_REJECT_REQUEST]: "REJECT_REQUEST",
  [Underscores.HEADERS_WITH_UNDERSCORES_DROP_HEADER]: "DROP_HEADER",
} as const;

const ESCAPED_SLASHES = {
  [EscapedSlashes.PATH_WITH_ESCAPED_SLASHES_UNSPECIFIED]: undefined,
  [EscapedSlashes.KEEP_UNCHANGED]: "KEEP_UNCHANGED",
  [EscapedSlashes.REJECT_REQUEST]: "REJECT_REQUEST",
  [EscapedSlashes.UNESCAPE_AND_REDIRECT]: "UNESCAPE_AND_REDIRECT",
  [EscapedSlashes.UNESCAPE_AND_FORWARD]: "UNESCAPE_AND_FORWARD",
} as const;

/** A proxy's `connectionSettings`; undefined where it has none. */
export function connectionSettingsOf(message: Message | undefined): ConnectionSettings | undefined {
  if (message === undefined) return undefined;
  return present({
    profile: message.profile === Profile.EDGE ? ("EDGE" as const) : ("SIDECAR" as const),
    listenerBufferLimitBytes: unsigned(message.listenerPerConnectionBufferLimitBytes),
    httpIdleTimeout: durationOf(message.httpIdleTimeout),
    httpMaxConnectionDuration: durationOf(message.httpMaxConnectionDuration),
    httpDrainTimeout: durationOf(message.httpDrainTimeout),
    httpRequestTimeout: durationOf(message.httpRequestTimeout),
    httpRequestHeadersTimeout: durationOf(message.httpRequestHeadersTimeout),
    httpStreamIdleTimeout: durationOf(message.httpStreamIdleTimeout),
    httpMaxStreamDuration: durationOf(message.httpMaxStreamDuration),
    httpMaxConcurrentStreams: unsigned(message.httpMaxConcurrentStreams),
    http2InitialStreamWindowSize: unsigned(message.http2InitialStreamWindowSize),
    http2InitialConnectionWindowSize: unsigned(message.http2InitialConnectionWindowSize),
    headersWithUnderscores: UNDERSCORES[message.httpHeadersWithUnderscoresAction],
    mergeSlashes: message.httpMergeSlashes,
    escapedSlashes: ESCAPED_SLASHES[message.httpPathWithEscapedSlashesAction],
  });
}

/** Istio leaves out what is negative (istio `core/connection_settings.go` safeUint32). */
function unsigned(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value;
}
