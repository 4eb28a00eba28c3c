import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { fragment } from "#core/lib/protobuf/fragment.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { ApiVersion } from "#proto/envoy/config/core/v3/config_source_pb.js";
import { HttpProtocolOptions_HeadersWithUnderscoresAction as Underscores } from "#proto/envoy/config/core/v3/protocol_pb.js";
import type { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import {
  HttpConnectionManager_PathWithEscapedSlashesAction as EscapedSlashes,
  HttpConnectionManager_ForwardClientCertDetails as ForwardCert,
  HttpConnectionManagerSchema,
  HttpConnectionManager_ServerHeaderTransformation as ServerHeader,
} from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { PreserveCaseFormatterConfigSchema } from "#proto/envoy/extensions/http/header_formatters/preserve_case/v3/preserve_case_pb.js";
import { UuidRequestIdConfigSchema } from "#proto/envoy/extensions/request_id/uuid/v3/uuid_pb.js";
import type { AccessLog } from "./access-log.ts";
import { packAny } from "./any.ts";
import { durationMessage, ZERO_DURATION } from "./duration.ts";
import { type AddressRange, cidrRange, type NetworkFilter, networkFilterMessage } from "./filter-chain.ts";
import type { HttpFilter } from "./http-filters.ts";
import type { Tracing } from "./tracing.ts";

type Message = MessageInitShape<typeof HttpConnectionManagerSchema>;
export type RouteConfigurationMessage = MessageInitShape<typeof RouteConfigurationSchema>;

/** Routes come by RDS on the same stream, or are part of the listener. */
export type Routes = { readonly kind: "rds"; readonly name: string } | { readonly kind: "inline"; readonly config: RouteConfigurationMessage };

/**
 * A connection manager is put together from four parts, each the encoding of some of its fields, in the order of their numbers: what differs between
 * listeners comes first, then filters, then tracing (which holds a workload's own names), then what all listeners of one kind share.
 */
export function connectionManagerHead(statPrefix: string, routes: Routes): Uint8Array {
  return encode(HttpConnectionManagerSchema, { statPrefix, routeSpecifier: routeSpecifier(routes) });
}

function routeSpecifier(routes: Routes): NonNullable<Message["routeSpecifier"]> {
  if (routes.kind === "inline") return { case: "routeConfig", value: routes.config };
  const configSource = {
    configSourceSpecifier: { case: "ads", value: {} },
    initialFetchTimeout: ZERO_DURATION,
    resourceApiVersion: ApiVersion.V3,
  } as const;
  return { case: "rds", value: { configSource, routeConfigName: routes.name } };
}

/** The second part. */
export function connectionManagerFilters(httpFilters: readonly HttpFilter[]): Uint8Array {
  return encode(HttpConnectionManagerSchema, { httpFilters: [...httpFilters] });
}

/** The third part. */
export function connectionManagerTracing(tracing: Tracing | undefined): Uint8Array {
  return encode(HttpConnectionManagerSchema, tracing === undefined ? {} : { tracing });
}

export interface ConnectionManagerSettings {
  readonly accessLogs: readonly AccessLog[];
  readonly serverName: string;
  /** Leaves the server header of the response alone. */
  readonly passServerHeader: boolean;
  readonly generateRequestId?: false;
  readonly acceptHttp10: boolean;
  readonly allowAbsoluteUrl: boolean;
  readonly preserveHeaderCase: boolean;
  /** Writes HTTP/2 options even where none is set. */
  readonly http2: boolean;
  readonly forwardClientCert?: ForwardClientCert;
  /** How the header is treated where no details of the certificate are added to it. */
  readonly clientCertHeader?: ForwardClientCert["mode"];
  /** Takes the connection's own address for the client's, so many proxies before it for trusted, and clients of some ranges for internal. */
  readonly edge?: { readonly trustedHops: number; readonly inside: readonly AddressRange[] };
  readonly normalizePath: boolean;
  readonly mergeSlashes: boolean;
  readonly escapedSlashes: keyof typeof EscapedSlashes;
  readonly appendForwardedPort: boolean;
  readonly streamIdleTimeout: Duration;
  readonly requestIdDecidesSampling: boolean;
  readonly limits: ConnectionLimits;
}

export interface ForwardClientCert {
  readonly mode: keyof typeof ForwardCert;
  readonly subject: boolean;
  readonly uri: boolean;
  readonly dns: boolean;
  readonly cert: boolean;
  readonly chain: boolean;
}

/** Absent fields keep Envoy's own limits. */
export interface ConnectionLimits {
  readonly idleTimeout?: Duration;
  readonly maxConnectionDuration?: Duration;
  readonly maxStreamDuration?: Duration;
  readonly requestTimeout?: Duration;
  readonly requestHeadersTimeout?: Duration;
  readonly drainTimeout?: Duration;
  readonly maxConcurrentStreams?: number;
  readonly initialStreamWindow?: number;
  readonly initialConnectionWindow?: number;
  readonly headersWithUnderscores?: keyof typeof Underscores;
}

/** The fourth part. */
export function connectionManagerTail(settings: ConnectionManagerSettings): Uint8Array {
  const { limits, forwardClientCert, clientCertHeader, edge } = settings;
  return encode(HttpConnectionManagerSchema, {
    accessLog: [...settings.accessLogs],
    serverName: settings.serverName,
    serverHeaderTransformation: settings.passServerHeader ? ServerHeader.PASS_THROUGH : ServerHeader.OVERWRITE,
    ...(settings.generateRequestId === false && { generateRequestId: false }),
    ...http1Options(settings),
    ...http2Options(settings),
    ...commonOptions(limits),
    ...timeouts(limits),
    ...(forwardClientCert && forwardClientCertMessage(forwardClientCert)),
    ...(clientCertHeader && { forwardClientCertDetails: ForwardCert[clientCertHeader] }),
    normalizePath: settings.normalizePath,
    mergeSlashes: settings.mergeSlashes,
    pathWithEscapedSlashesAction: EscapedSlashes[settings.escapedSlashes],
    appendXForwardedPort: settings.appendForwardedPort,
    useRemoteAddress: edge !== undefined,
    ...(edge && { xffNumTrustedHops: edge.trustedHops }),
    ...(edge && edge.inside.length > 0 && { internalAddressConfig: { cidrRanges: edge.inside.map(cidrRange) } }),
    upgradeConfigs: [{ upgradeType: "websocket" }],
    streamIdleTimeout: durationMessage(settings.streamIdleTimeout),
    proxy100Continue: true,
    requestIdExtension: { typedConfig: packAny(UuidRequestIdConfigSchema, { useRequestIdForTraceSampling: settings.requestIdDecidesSampling }) },
  });
}

function http1Options(settings: ConnectionManagerSettings): Pick<Message, "httpProtocolOptions"> {
  const { acceptHttp10, allowAbsoluteUrl, preserveHeaderCase, edge } = settings;
  if (edge === undefined && !acceptHttp10 && !allowAbsoluteUrl && !preserveHeaderCase) return {};
  const typedConfig = packAny(PreserveCaseFormatterConfigSchema, {});
  const headerFormat = { case: "statefulFormatter", value: { name: "preserve_case", typedConfig } } as const;
  return {
    httpProtocolOptions: {
      ...(allowAbsoluteUrl && { allowAbsoluteUrl }),
      acceptHttp10,
      ...(preserveHeaderCase && { headerKeyFormat: { headerFormat } }),
    },
  };
}

function http2Options({ http2, limits }: ConnectionManagerSettings): Pick<Message, "http2ProtocolOptions"> {
  const { maxConcurrentStreams, initialStreamWindow, initialConnectionWindow } = limits;
  const options = {
    ...(maxConcurrentStreams !== undefined && { maxConcurrentStreams }),
    ...(initialStreamWindow !== undefined && { initialStreamWindowSize: initialStreamWindow }),
    ...(initialConnectionWindow !== undefined && { initialConnectionWindowSize: initialConnectionWindow }),
  };
  return http2 || Object.keys(options).length > 0 ? { http2ProtocolOptions: options } : {};
}

function commonOptions(limits: ConnectionLimits): Pick<Message, "commonHttpProtocolOptions"> {
  const { idleTimeout, maxConnectionDuration, maxStreamDuration, headersWithUnderscores } = limits;
  const options = {
    ...(idleTimeout && { idleTimeout: durationMessage(idleTimeout) }),
    ...(maxConnectionDuration && { maxConnectionDuration: durationMessage(maxConnectionDuration) }),
    ...(maxStreamDuration && { maxStreamDuration: durationMessage(maxStreamDuration) }),
    ...(headersWithUnderscores && { headersWithUnderscoresAction: Underscores[headersWithUnderscores] }),
  };
  return Object.keys(options).length > 0 ? { commonHttpProtocolOptions: options } : {};
}

function timeouts({ requestTimeout, requestHeadersTimeout, drainTimeout }: ConnectionLimits) {
  return {
    ...(requestTimeout && { requestTimeout: durationMessage(requestTimeout) }),
    ...(requestHeadersTimeout && { requestHeadersTimeout: durationMessage(requestHeadersTimeout) }),
    ...(drainTimeout && { drainTimeout: durationMessage(drainTimeout) }),
  };
}

function forwardClientCertMessage({ mode, subject, uri, dns, cert, chain }: ForwardClientCert) {
  return { forwardClientCertDetails: ForwardCert[mode], setCurrentClientCertDetails: { subject, uri, dns, cert, chain } };
}

/** Puts the four parts together. */
export function connectionManagerFilter(head: Uint8Array, filters: Uint8Array, tracing: Uint8Array, tail: Uint8Array): NetworkFilter {
  const manager = fragment(HttpConnectionManagerSchema, [head, filters, tracing, tail]);
  return networkFilterMessage("envoy.filters.network.http_connection_manager", packed(HttpConnectionManagerSchema, manager));
}
