import type { Duration } from "#core/lib/duration.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { ExportTo } from "./service.ts";

/** A VirtualService with its delegates merged in, host names in full and gateway names as `namespace/name` or `mesh`. */
export interface VirtualService {
  readonly name: string;
  readonly namespace: string;
  readonly hosts: readonly string[];
  readonly gateways: readonly string[];
  readonly http: readonly HttpRoute[];
  readonly tls: readonly TlsRoute[];
  readonly tcp: readonly TcpRoute[];
  readonly exportTo: ExportTo;
  readonly sources: readonly ObjectKey[];
}

export type StringMatch =
  | { readonly kind: "exact"; readonly value: string }
  | { readonly kind: "prefix"; readonly value: string }
  | { readonly kind: "regex"; readonly value: string }
  /** `{}`: the thing is there. */
  | { readonly kind: "present" };

export interface HttpMatch {
  readonly name: string;
  readonly uri?: StringMatch;
  readonly scheme?: StringMatch;
  readonly method?: StringMatch;
  readonly authority?: StringMatch;
  readonly headers: Readonly<Record<string, StringMatch>>;
  readonly withoutHeaders: Readonly<Record<string, StringMatch>>;
  readonly queryParams: Readonly<Record<string, StringMatch>>;
  readonly ignoreUriCase: boolean;
  readonly port: number;
  readonly sourceLabels: Readonly<Record<string, string>>;
  readonly sourceNamespace: string;
  readonly gateways: readonly string[];
  readonly statPrefix: string;
}

export interface Destination {
  readonly host: string;
  readonly subset: string;
  /** 0: not given. */
  readonly port: number;
}

export interface HeaderOperations {
  readonly set: Readonly<Record<string, string>>;
  readonly add: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

export interface Headers {
  readonly request?: HeaderOperations;
  readonly response?: HeaderOperations;
}

export interface HttpRouteDestination {
  /** Absent in a malformed object; Istio routes to `UnknownService` then. */
  readonly destination?: Destination;
  readonly weight: number;
  readonly headers?: Headers;
}

export interface Percent {
  readonly value: number;
}

export interface HttpRoute {
  readonly name: string;
  readonly match: readonly HttpMatch[];
  readonly route: readonly HttpRouteDestination[];
  readonly redirect?: HttpRedirect;
  readonly directResponse?: {
    readonly status: number;
    readonly body?: { readonly kind: "string"; readonly value: string } | { readonly kind: "bytes"; readonly value: Uint8Array };
  };
  readonly rewrite?: {
    readonly uri: string;
    readonly authority: string;
    readonly uriRegexRewrite?: { readonly match: string; readonly rewrite: string };
  };
  readonly timeout?: Duration;
  readonly retries?: HttpRetry;
  readonly fault?: HttpFault;
  /** `mirror` and `mirrors` joined: the deprecated single one carries `percent` (deprecated) or `percentage`. */
  readonly mirrors: readonly HttpMirror[];
  readonly cors?: CorsPolicy;
  readonly headers?: Headers;
}

export interface HttpMirror {
  readonly destination?: Destination;
  readonly percentage?: Percent;
  /** The deprecated integer `mirrorPercent`. */
  readonly deprecatedPercent?: number;
}

export interface HttpRedirect {
  readonly uri: string;
  readonly authority: string;
  readonly port?:
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "derived"; readonly value: "FROM_PROTOCOL_DEFAULT" | "FROM_REQUEST_PORT" };
  readonly scheme: string;
  readonly redirectCode: number;
  /** Replaces the matched prefix of the path; "" if not given. */
  readonly prefixRewrite: string;
}

export interface HttpRetry {
  readonly attempts: number;
  readonly perTryTimeout?: Duration;
  readonly retryOn: string;
  readonly retryRemoteLocalities?: boolean;
  readonly retryIgnorePreviousHosts?: boolean;
  readonly backoff?: Duration;
}

export interface HttpFault {
  readonly delay?: { readonly fixedDelay?: Duration; readonly percentage?: Percent; readonly deprecatedPercent: number };
  readonly abort?: {
    readonly error: { readonly kind: "http"; readonly status: number } | { readonly kind: "grpc"; readonly status: string };
    readonly percentage?: Percent;
  };
}

export interface CorsPolicy {
  readonly allowOrigins: readonly StringMatch[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAge?: Duration;
  readonly allowCredentials?: boolean;
  readonly unmatchedPreflights: "UNSPECIFIED" | "FORWARD" | "IGNORE";
}

export interface L4Match {
  readonly destinationSubnets: readonly string[];
  readonly port: number;
  readonly sourceLabels: Readonly<Record<string, string>>;
  readonly gateways: readonly string[];
  readonly sourceNamespace: string;
}

export interface TlsMatch extends L4Match {
  readonly sniHosts: readonly string[];
}

export interface RouteDestination {
  readonly destination?: Destination;
  readonly weight: number;
}

export interface TlsRoute {
  readonly match: readonly TlsMatch[];
  readonly route: readonly RouteDestination[];
}

export interface TcpRoute {
  readonly match: readonly L4Match[];
  readonly route: readonly RouteDestination[];
}
