import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  RedirectAction_RedirectResponseCode as RedirectCode,
  RouteAction_ClusterNotFoundResponseCode,
  type RouteActionSchema,
  type RouteSchema,
  type WeightedCluster_ClusterWeightSchema,
} from "#proto/envoy/config/route/v3/route_components_pb.js";
import { durationMessage } from "./duration.ts";
import type { HashPolicyMessage } from "./hash-policy.ts";
import { type HeaderEdits, headerValueOptions } from "./header-edits.ts";
import { fixedFraction, type Share } from "./percent.ts";
import type { RetryPolicyMessage } from "./retry-policy.ts";
import { regexMatcher } from "./string-matcher.ts";

export type RouteActionMessage = NonNullable<MessageInitShape<typeof RouteSchema>["action"]>;

/** One or several clusters that a request goes to. */
export type Targets =
  | { readonly kind: "cluster"; readonly cluster: string }
  | { readonly kind: "weighted"; readonly clusters: readonly WeightedTarget[] };

export interface WeightedTarget {
  readonly cluster: string;
  readonly weight: number;
  readonly requestHeaders: HeaderEdits;
  readonly responseHeaders: HeaderEdits;
  /** "" keeps the host. */
  readonly hostRewrite: string;
}

export interface MirrorTarget {
  readonly cluster: string;
  readonly share: Share;
}

export interface ForwardFields {
  readonly targets: Targets;
  /** Zero: no timeout. */
  readonly timeout: { readonly seconds: number; readonly nanos: number };
  readonly prefixRewrite?: string;
  readonly regexRewrite?: { readonly regex: string; readonly substitution: string };
  /** "" keeps the host. */
  readonly hostRewrite: string;
  readonly appendXForwardedHost: boolean;
  readonly retry?: RetryPolicyMessage;
  readonly mirrors: readonly MirrorTarget[];
  readonly hash: readonly HashPolicyMessage[];
  /** A missing cluster is answered with 500 instead of 503. */
  readonly missingClusterIsError: boolean;
  /** For a gRPC client, which reads the timeout elsewhere than a proxy does. */
  readonly proxyless: boolean;
}

/** Forwards a request; gRPC's own deadline is capped by the same timeout. */
export function forward(fields: ForwardFields): RouteActionMessage {
  return { case: "route", value: { clusterSpecifier: targetSpecifier(fields.targets), ...forwarding(fields) } };
}

/** How requests are forwarded, wherever to. */
export function forwarding(fields: Omit<ForwardFields, "targets">): MessageInitShape<typeof RouteActionSchema> {
  const timeout = durationMessage(fields.timeout);
  const { prefixRewrite, regexRewrite } = fields;
  return {
    clusterNotFoundResponseCode: fields.missingClusterIsError
      ? RouteAction_ClusterNotFoundResponseCode.INTERNAL_SERVER_ERROR
      : RouteAction_ClusterNotFoundResponseCode.SERVICE_UNAVAILABLE,
    ...(prefixRewrite === undefined ? {} : { prefixRewrite }),
    ...(regexRewrite === undefined ? {} : { regexRewrite: { pattern: regexMatcher(regexRewrite.regex), substitution: regexRewrite.substitution } }),
    ...hostRewrite(fields.hostRewrite),
    appendXForwardedHost: fields.appendXForwardedHost,
    timeout,
    ...(fields.retry === undefined ? {} : { retryPolicy: fields.retry }),
    requestMirrorPolicies: fields.mirrors.map(({ cluster, share }) => ({
      cluster,
      runtimeFraction: fixedFraction(share),
      traceSampled: false,
      disableShadowHostSuffixAppend: true,
    })),
    hashPolicy: [...fields.hash],
    ...(fields.proxyless ? { maxStreamDuration: { maxStreamDuration: timeout } } : { maxGrpcTimeout: timeout }),
  };
}

function targetSpecifier(targets: Targets) {
  if (targets.kind === "cluster") return { case: "cluster", value: targets.cluster } as const;
  return { case: "weightedClusters", value: { clusters: targets.clusters.map(clusterWeight) } } as const;
}

function clusterWeight(target: WeightedTarget): MessageInitShape<typeof WeightedCluster_ClusterWeightSchema> {
  return {
    name: target.cluster,
    weight: target.weight,
    requestHeadersToAdd: headerValueOptions(target.requestHeaders.write),
    requestHeadersToRemove: [...target.requestHeaders.remove],
    responseHeadersToAdd: headerValueOptions(target.responseHeaders.write),
    responseHeadersToRemove: [...target.responseHeaders.remove],
    ...hostRewrite(target.hostRewrite),
  };
}

function hostRewrite(host: string) {
  return host === "" ? {} : { hostRewriteSpecifier: { case: "hostRewriteLiteral", value: host } as const };
}

/** Statuses that Envoy can redirect with. */
const REDIRECT_CODES = {
  301: RedirectCode.MOVED_PERMANENTLY,
  302: RedirectCode.FOUND,
  303: RedirectCode.SEE_OTHER,
  307: RedirectCode.TEMPORARY_REDIRECT,
  308: RedirectCode.PERMANENT_REDIRECT,
} as const;
export type RedirectStatus = keyof typeof REDIRECT_CODES;

export function isRedirectStatus(status: number): status is RedirectStatus {
  return status in REDIRECT_CODES;
}

export interface RedirectFields {
  readonly host: string;
  readonly path: { readonly kind: "pathRedirect" | "prefixRewrite"; readonly value: string };
  /** "" keeps the scheme. */
  readonly scheme: string;
  /** 0: none is written. */
  readonly port: number;
  readonly status: RedirectStatus;
}

export function redirect(fields: RedirectFields): RouteActionMessage {
  return {
    case: "redirect",
    value: {
      hostRedirect: fields.host,
      pathRewriteSpecifier: { case: fields.path.kind, value: fields.path.value },
      ...(fields.scheme === "" ? {} : { schemeRewriteSpecifier: { case: "schemeRedirect", value: fields.scheme } as const }),
      portRedirect: fields.port,
      responseCode: REDIRECT_CODES[fields.status],
    },
  };
}

export type InlineBody = { readonly kind: "string"; readonly value: string } | { readonly kind: "bytes"; readonly value: Uint8Array };

export function directResponse(status: number, body?: InlineBody): RouteActionMessage {
  return { case: "directResponse", value: { status, ...(body === undefined ? {} : { body: { specifier: inlineData(body) } }) } };
}

function inlineData(body: InlineBody) {
  if (body.kind === "string") return { case: "inlineString", value: body.value } as const;
  return { case: "inlineBytes", value: body.value } as const;
}
