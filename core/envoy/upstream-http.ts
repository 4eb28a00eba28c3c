import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Duration } from "#core/lib/duration.ts";
import type {
  HttpProtocolOptionsSchema as CommonSchema,
  Http1ProtocolOptionsSchema,
  Http2ProtocolOptionsSchema,
} from "#proto/envoy/config/core/v3/protocol_pb.js";
import { PreserveCaseFormatterConfigSchema } from "#proto/envoy/extensions/http/header_formatters/preserve_case/v3/preserve_case_pb.js";
import { HttpProtocolOptionsSchema } from "#proto/envoy/extensions/upstreams/http/v3/http_protocol_options_pb.js";
import { packAny } from "./any.ts";
import { durationMessage } from "./duration.ts";

/** Which HTTP is spoken to the upstream. */
export type UpstreamProtocol =
  | { readonly kind: "http1"; readonly preserveCase: boolean }
  | {
      readonly kind: "http2";
      readonly maxConcurrentStreams?: number;
      readonly keepalive?: { readonly interval?: Duration; readonly timeout?: Duration };
    }
  /** Whatever the downstream speaks. */
  | { readonly kind: "downstream"; readonly preserveCase: boolean };

export interface UpstreamHttpFields {
  readonly protocol: UpstreamProtocol;
  /** Absent: not written; an empty one is. */
  readonly common?: { readonly idleTimeout?: Duration; readonly maxRequestsPerConnection?: number; readonly maxConnectionDuration?: Duration };
  /** Derive the server name from the request, and check the certificate against it. */
  readonly serverName?: { readonly auto: boolean; readonly validate: boolean };
}

/** The key under which a cluster's HTTP options stand. */
const HTTP_OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

export type ProtocolOptions = { [key: string]: MessageInitShape<typeof AnySchema> };

/** A cluster's `typed_extension_protocol_options`. Those of the protocol alone recur in nearly every cluster, and are encoded once. */
export function upstreamHttp(fields: UpstreamHttpFields): ProtocolOptions {
  const { protocol, common, serverName } = fields;
  if (common === undefined && serverName === undefined) {
    if (protocol.kind === "http2" && protocol.maxConcurrentStreams === undefined && protocol.keepalive === undefined) return HTTP2_ONLY;
    if (protocol.kind === "downstream" && !protocol.preserveCase) return DOWNSTREAM_ONLY;
  }
  return options(fields);
}

function options({ protocol, common, serverName }: UpstreamHttpFields): ProtocolOptions {
  const value = packAny(HttpProtocolOptionsSchema, {
    ...(common === undefined ? {} : { commonHttpProtocolOptions: commonOptions(common) }),
    ...(serverName === undefined ? {} : { upstreamHttpProtocolOptions: { autoSni: serverName.auto, autoSanValidation: serverName.validate } }),
    upstreamProtocolOptions: protocolOptions(protocol),
  });
  return { [HTTP_OPTIONS]: value };
}

const HTTP2_ONLY = options({ protocol: { kind: "http2" } });
const DOWNSTREAM_ONLY = options({ protocol: { kind: "downstream", preserveCase: false } });

function commonOptions({
  idleTimeout,
  maxRequestsPerConnection,
  maxConnectionDuration,
}: NonNullable<UpstreamHttpFields["common"]>): MessageInitShape<typeof CommonSchema> {
  return {
    ...(idleTimeout === undefined ? {} : { idleTimeout: durationMessage(idleTimeout) }),
    ...(maxRequestsPerConnection === undefined ? {} : { maxRequestsPerConnection }),
    ...(maxConnectionDuration === undefined ? {} : { maxConnectionDuration: durationMessage(maxConnectionDuration) }),
  };
}

type ProtocolChoice = NonNullable<MessageInitShape<typeof HttpProtocolOptionsSchema>["upstreamProtocolOptions"]>;

function protocolOptions(protocol: UpstreamProtocol): ProtocolChoice {
  switch (protocol.kind) {
    case "http1":
      return { case: "explicitHttpConfig", value: { protocolConfig: { case: "httpProtocolOptions", value: http1(protocol.preserveCase) } } };
    case "http2":
      return { case: "explicitHttpConfig", value: { protocolConfig: { case: "http2ProtocolOptions", value: http2(protocol) } } };
    case "downstream":
      return { case: "useDownstreamProtocolConfig", value: { httpProtocolOptions: http1(protocol.preserveCase), http2ProtocolOptions: {} } };
  }
}

/** Without the formatter Envoy lower-cases header names of HTTP/1. */
function http1(preserveCase: boolean): MessageInitShape<typeof Http1ProtocolOptionsSchema> {
  if (!preserveCase) return {};
  const typedConfig = packAny(PreserveCaseFormatterConfigSchema, {});
  return { headerKeyFormat: { headerFormat: { case: "statefulFormatter", value: { name: "preserve_case", typedConfig } } } };
}

function http2({
  maxConcurrentStreams,
  keepalive,
}: Extract<UpstreamProtocol, { kind: "http2" }>): MessageInitShape<typeof Http2ProtocolOptionsSchema> {
  return {
    ...(maxConcurrentStreams === undefined ? {} : { maxConcurrentStreams }),
    ...(keepalive === undefined
      ? {}
      : {
          connectionKeepalive: {
            ...(keepalive.interval === undefined ? {} : { interval: durationMessage(keepalive.interval) }),
            ...(keepalive.timeout === undefined ? {} : { timeout: durationMessage(keepalive.timeout) }),
          },
        }),
  };
}
