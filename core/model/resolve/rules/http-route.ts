import { present } from "#core/lib/present.ts";
import type {
  CorsPolicy,
  Destination,
  HeaderOperations,
  Headers,
  HttpFault,
  HttpMirror,
  HttpRedirect,
  HttpRetry,
  HttpRoute,
  HttpRouteDestination,
} from "#core/model/virtual-service.ts";
import type {
  CorsPolicy as CorsMessage,
  Destination as DestinationMessage,
  Headers_HeaderOperations,
  Headers as HeadersMessage,
  HTTPDirectResponse,
  HTTPFaultInjection,
  HTTPRedirect,
  HTTPRetry,
  HTTPRoute,
  HTTPRouteDestination,
} from "#proto/networking/v1alpha3/virtual_service_pb.js";
import {
  HTTPRedirect_RedirectPortSelection as PortSelection,
  CorsPolicy_UnmatchedPreflights as Unmatched,
} from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { httpMatchOf, stringMatchOf } from "./http-match.ts";
import { durationOf } from "./proto-duration.ts";

/** Projects one HTTP route, delegates already merged in and names in full. */
export function httpRouteOf(message: HTTPRoute): HttpRoute {
  return present({
    name: message.name,
    match: message.match.map(httpMatchOf),
    route: message.route.map(httpDestinationOf),
    redirect: redirectOf(message.redirect),
    directResponse: directResponseOf(message.directResponse),
    rewrite: rewriteOf(message),
    timeout: durationOf(message.timeout),
    retries: retryOf(message.retries),
    fault: faultOf(message.fault),
    mirrors: mirrorsOf(message),
    cors: corsOf(message.corsPolicy),
    headers: headersOf(message.headers),
  });
}

/** A destination as it is written: an empty host and port 0 are for whoever makes routes to understand. */
export function destinationOf(message: DestinationMessage | undefined): Destination | undefined {
  return message === undefined ? undefined : { host: message.host, subset: message.subset, port: message.port?.number ?? 0 };
}

function httpDestinationOf(message: HTTPRouteDestination): HttpRouteDestination {
  return present({ destination: destinationOf(message.destination), weight: message.weight, headers: headersOf(message.headers) });
}

function headersOf(message: HeadersMessage | undefined): Headers | undefined {
  return message === undefined ? undefined : present({ request: operationsOf(message.request), response: operationsOf(message.response) });
}

function operationsOf(message: Headers_HeaderOperations | undefined): HeaderOperations | undefined {
  return message === undefined ? undefined : { set: message.set, add: message.add, remove: message.remove };
}

function redirectOf(message: HTTPRedirect | undefined): HttpRedirect | undefined {
  if (message === undefined) return undefined;
  const { uri, authority, scheme, redirectCode, prefixRewrite } = message;
  return present({ uri, authority, scheme, redirectCode, prefixRewrite, port: redirectPortOf(message.redirectPort) });
}

function redirectPortOf(port: HTTPRedirect["redirectPort"]): HttpRedirect["port"] {
  switch (port.case) {
    case "port":
      return { kind: "number", value: port.value };
    case "derivePort":
      return { kind: "derived", value: port.value === PortSelection.FROM_REQUEST_PORT ? "FROM_REQUEST_PORT" : "FROM_PROTOCOL_DEFAULT" };
    default:
      return undefined;
  }
}

function directResponseOf(message: HTTPDirectResponse | undefined): HttpRoute["directResponse"] {
  if (message === undefined) return undefined;
  const specifier = message.body?.specifier;
  switch (specifier?.case) {
    case "string":
      return { status: message.status, body: { kind: "string", value: specifier.value } };
    case "bytes":
      return { status: message.status, body: { kind: "bytes", value: specifier.value } };
    default:
      return { status: message.status };
  }
}

function rewriteOf({ rewrite }: HTTPRoute): HttpRoute["rewrite"] {
  if (rewrite === undefined) return undefined;
  const regex = rewrite.uriRegexRewrite;
  const uriRegexRewrite = regex === undefined ? undefined : { match: regex.match, rewrite: regex.rewrite };
  return present({ uri: rewrite.uri, authority: rewrite.authority, uriRegexRewrite });
}

/** Retries of a route or of the mesh; undefined where nothing is said. */
export function retryOf(message: HTTPRetry | undefined): HttpRetry | undefined {
  if (message === undefined) return undefined;
  return present({
    attempts: message.attempts,
    perTryTimeout: durationOf(message.perTryTimeout),
    retryOn: message.retryOn,
    retryRemoteLocalities: message.retryRemoteLocalities,
    retryIgnorePreviousHosts: message.retryIgnorePreviousHosts,
    backoff: durationOf(message.backoff),
  });
}

/** Delays and errors of kinds that Istio never implemented count as absent. */
function faultOf(message: HTTPFaultInjection | undefined): HttpFault | undefined {
  if (message === undefined) return undefined;
  return present({ delay: delayOf(message.delay), abort: abortOf(message.abort) });
}

function delayOf(message: HTTPFaultInjection["delay"]): HttpFault["delay"] {
  if (message === undefined) return undefined;
  const { httpDelayType, percent } = message;
  if (httpDelayType.case !== "fixedDelay") return undefined;
  return present({ fixedDelay: durationOf(httpDelayType.value), percentage: percentOf(message.percentage), deprecatedPercent: percent });
}

function abortOf(message: HTTPFaultInjection["abort"]): HttpFault["abort"] {
  if (message === undefined) return undefined;
  const percentage = percentOf(message.percentage);
  switch (message.errorType.case) {
    case "httpStatus":
      return present({ error: { kind: "http" as const, status: message.errorType.value }, percentage });
    case "grpcStatus":
      return present({ error: { kind: "grpc" as const, status: message.errorType.value }, percentage });
    default:
      return undefined;
  }
}

function percentOf(message: { readonly value: number } | undefined): { readonly value: number } | undefined {
  return message === undefined ? undefined : { value: message.value };
}

function mirrorsOf(message: HTTPRoute): readonly HttpMirror[] {
  const listed = message.mirrors.map(
    (mirror): HttpMirror => present({ destination: destinationOf(mirror.destination), percentage: percentOf(mirror.percentage) }),
  );
  if (message.mirror === undefined) return listed;
  const single = present({
    destination: destinationOf(message.mirror),
    percentage: percentOf(message.mirrorPercentage),
    deprecatedPercent: message.mirrorPercent,
  });
  return [single, ...listed];
}

const UNMATCHED = { [Unmatched.UNSPECIFIED]: "UNSPECIFIED", [Unmatched.FORWARD]: "FORWARD", [Unmatched.IGNORE]: "IGNORE" } as const;

/** The deprecated `allowOrigin` is a list of exact origins, which counts only beside an empty `allowOrigins` (istio `route.go` TranslateCORSPolicy). */
function corsOf(message: CorsMessage | undefined): CorsPolicy | undefined {
  if (message === undefined) return undefined;
  const deprecated = message.allowOrigin.map((value) => ({ kind: "exact" as const, value }));
  return present({
    allowOrigins: message.allowOrigins.length > 0 ? message.allowOrigins.map(stringMatchOf) : deprecated,
    allowMethods: message.allowMethods,
    allowHeaders: message.allowHeaders,
    exposeHeaders: message.exposeHeaders,
    maxAge: durationOf(message.maxAge),
    allowCredentials: message.allowCredentials,
    unmatchedPreflights: UNMATCHED[message.unmatchedPreflights] ?? "UNSPECIFIED",
  });
}
