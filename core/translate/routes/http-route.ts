import type { AnyMessage } from "#core/envoy/any.ts";
import { configPath } from "#core/envoy/istio-metadata.ts";
import { type RouteMessage, route } from "#core/envoy/route.ts";
import { directResponse, type ForwardFields, forward, type RouteActionMessage } from "#core/envoy/route-action.ts";
import { seconds } from "#core/lib/duration.ts";
import type { HttpMatch, HttpRoute, VirtualService } from "#core/model/virtual-service.ts";
import { CORS_FILTER, corsSettings } from "./cors.ts";
import type { FindDestination } from "./destination.ts";
import { FAULT_FILTER, faultSettings } from "./fault.ts";
import type { RouteFrame } from "./frame.ts";
import { type HeaderChanges, headerChanges, thenHeaders } from "./headers.ts";
import { altSvcHeader } from "./http3.ts";
import { isCatchAll, requestMatch } from "./match.ts";
import { mirrorTargets } from "./mirror.ts";
import { operationName } from "./operation.ts";
import { redirectAction } from "./redirect.ts";
import { retries } from "./retry.ts";
import { pathRewrite } from "./rewrite.ts";
import { type RouteTargets, routeTargets } from "./targets.ts";

/** One Envoy route, with what its neighbours and its resource must know of it. */
export interface BuiltRoute {
  readonly message: RouteMessage;
  /** Takes every request: routes after it are out of reach. */
  readonly catchAll: boolean;
  readonly clusters: readonly string[];
}

/** One match (or the lack of one) of a VirtualService's HTTP route. */
export interface RouteSource {
  readonly virtualService: VirtualService;
  readonly rule: HttpRoute;
  readonly match: HttpMatch | undefined;
}

/** Makes the route of one match (istio `route.TranslateRoute`). */
export function httpRoute(source: RouteSource, find: FindDestination, frame: RouteFrame): BuiltRoute {
  const { virtualService, rule, match } = source;
  const requests = requestMatch(match);
  const headers = headerChanges(rule.headers);
  const answer = actionOf(rule, headers.authority, find, frame);
  const response = thenHeaders(headers.response, answer.extra.response);
  const message = route({
    name: match === undefined || match.name === "" ? rule.name : `${rule.name}.${match.name}`,
    match: requests,
    ...(answer.action === undefined ? {} : { action: answer.action }),
    config: configPath("virtual-service", virtualService),
    operation: operationName(requests, answer.forward?.targets, { name: virtualService.name, port: frame.port }),
    statPrefix: match?.statPrefix ?? "",
    requestHeaders: thenHeaders(headers.request, answer.extra.request),
    responseHeaders: frame.http3 ? { ...response, write: [...response.write, altSvcHeader(frame.port)] } : response,
    filters: filterSettings(rule, frame),
  });
  return { message, catchAll: isCatchAll(requests), clusters: answer.forward === undefined ? [] : clustersOf(answer.forward) };
}

interface Answer {
  readonly action?: RouteActionMessage;
  readonly forward?: ForwardFields;
  /** Header changes that come with the only destination. */
  readonly extra: Pick<HeaderChanges, "request" | "response">;
}

const NOTHING: Answer["extra"] = headerChanges(undefined);

/** A redirect beats a direct response, which beats forwarding. */
function actionOf(rule: HttpRoute, authority: string, find: FindDestination, frame: RouteFrame): Answer {
  if (rule.redirect !== undefined) {
    const action = redirectAction(rule.redirect, frame);
    return { ...(action === undefined ? {} : { action }), extra: NOTHING };
  }
  if (rule.directResponse !== undefined) return { action: directResponse(rule.directResponse.status, rule.directResponse.body), extra: NOTHING };
  const destinations = routeTargets(rule.route, find, frame.port);
  const fields: ForwardFields = {
    targets: destinations.targets,
    timeout: rule.timeout ?? seconds(0),
    ...pathRewrite(rule.rewrite),
    hostRewrite: hostRewrite(rule, authority, destinations),
    appendXForwardedHost: rule.rewrite !== undefined && frame.appendXForwardedHost,
    ...retriesOf(rule, destinations.hashed, frame),
    mirrors: mirrorTargets(rule.mirrors, find, frame.port),
    hash: destinations.hash,
    missingClusterIsError: false,
    proxyless: frame.proxyless ?? false,
  };
  return { action: forward(fields), forward: fields, extra: { request: destinations.requestHeaders, response: destinations.responseHeaders } };
}

/** The host is rewritten as the rewrite says, else the route's headers, else those of a lone destination. */
function hostRewrite(rule: HttpRoute, authority: string, destinations: RouteTargets): string {
  return rule.rewrite?.authority || authority || destinations.authority;
}

function retriesOf(rule: HttpRoute, hashed: boolean, frame: RouteFrame): Pick<ForwardFields, "retry"> {
  const retry = retries(rule.retries ?? frame.defaultRetry, hashed);
  return retry === undefined ? {} : { retry };
}

/** gRPC refuses routes that configure a filter which it doesn't know. */
function filterSettings(rule: HttpRoute, { proxyless }: RouteFrame): Record<string, AnyMessage> {
  return {
    ...(rule.cors === undefined || proxyless === true ? {} : { [CORS_FILTER]: corsSettings(rule.cors) }),
    ...(rule.fault === undefined ? {} : { [FAULT_FILTER]: faultSettings(rule.fault) }),
  };
}

function clustersOf({ targets, mirrors }: ForwardFields): readonly string[] {
  const named = targets.kind === "cluster" ? [targets.cluster] : targets.clusters.map(({ cluster }) => cluster);
  return [...named, ...mirrors.map(({ cluster }) => cluster)];
}
