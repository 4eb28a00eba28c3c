import type { Condition, HeaderCondition, ListMetadataCondition, RouteMatchFields } from "#core/envoy/route-match.ts";
import type { TextPattern } from "#core/envoy/string-matcher.ts";
import { compareText } from "#core/lib/compare.ts";
import type { HttpMatch, StringMatch } from "#core/model/virtual-service.ts";
import { claimPath } from "./claim.ts";

/** Takes every request; `case_sensitive` stays unset for a route without a match. */
export const MATCH_ALL: RouteMatchFields = { path: { kind: "prefix", value: "/" }, headers: [], query: [], metadata: [] };

/** Which requests a VirtualService's match takes (istio `route.TranslateRouteMatch`). */
export function requestMatch(match: HttpMatch | undefined): RouteMatchFields {
  if (match === undefined) return MATCH_ALL;
  const wanted = sorted(match.headers);
  const unwanted = sorted(match.withoutHeaders);
  const named = [...wanted.flatMap(headerCondition), ...unwanted.flatMap(absentHeaderCondition)];
  // A stable sort: a header that is both wanted and unwanted keeps this order.
  named.sort((a, b) => compareText(a.name, b.name));
  return {
    path: pathOf(match.uri),
    caseSensitive: !match.ignoreUriCase,
    headers: [
      ...named,
      ...pseudoHeader(":method", match.method),
      ...pseudoHeader(":authority", match.authority),
      ...pseudoHeader(":scheme", match.scheme),
    ],
    query: sorted(match.queryParams).map(([name, text]) => condition(name, text)),
    metadata: [...wanted.flatMap((entry) => claimCondition(entry, false)), ...unwanted.flatMap((entry) => claimCondition(entry, true))],
  };
}

/** Nothing after a route that takes every request is ever reached (istio `route.IsCatchAllRoute`). */
export function isCatchAll({ path, headers, query, metadata }: RouteMatchFields): boolean {
  const everything = path.kind === "safeRegex" ? path.value === ".*" : path.kind !== "path" && path.value === "/";
  return everything && headers.length === 0 && query.length === 0 && metadata.length === 0;
}

/** How a match fits a listener; gateways and sources are decided when the scope is made. */
export function fitsPort(match: HttpMatch, listenerPort: number): boolean {
  return match.port === 0 || match.port === listenerPort;
}

type Entry = readonly [name: string, text: StringMatch];

function sorted(texts: Readonly<Record<string, StringMatch>>): Entry[] {
  return Object.entries(texts).sort(([a], [b]) => compareText(a, b));
}

function pathOf(uri: StringMatch | undefined): RouteMatchFields["path"] {
  switch (uri?.kind) {
    case "exact":
      return { kind: "path", value: uri.value };
    case "prefix":
      return { kind: "prefix", value: uri.value };
    case "regex":
      return { kind: "safeRegex", value: uri.value };
    default:
      return { kind: "prefix", value: "/" };
  }
}

/** `{}` and the regex `*`, which is no regular expression, ask only that the thing is there. */
function isPresence(text: StringMatch): boolean {
  return text.kind === "present" || (text.kind === "regex" && text.value === "*");
}

function patternOf(text: StringMatch): TextPattern | undefined {
  return text.kind === "present" ? undefined : text;
}

function condition(name: string, text: StringMatch): Condition {
  const pattern = isPresence(text) ? undefined : patternOf(text);
  return { name, ...(pattern === undefined ? {} : { pattern }) };
}

function headerCondition([name, text]: Entry): HeaderCondition[] {
  return claimPath(name) === undefined ? [{ ...condition(name, text), invert: false, treatMissingAsEmpty: false }] : [];
}

/** A missing header counts as an empty one, which a pattern may or may not fit; asking for presence says it all by itself. */
function absentHeaderCondition([name, text]: Entry): HeaderCondition[] {
  return claimPath(name) === undefined ? [{ ...condition(name, text), invert: true, treatMissingAsEmpty: !isPresence(text) }] : [];
}

function pseudoHeader(name: string, text: StringMatch | undefined): HeaderCondition[] {
  return text === undefined ? [] : [{ ...condition(name, text), invert: false, treatMissingAsEmpty: false }];
}

/** Where the JWT filter leaves the claims of a verified token. */
const JWT_FILTER = "envoy.filters.http.jwt_authn";
const JWT_PAYLOAD = "payload";

function claimCondition([name, text]: Entry, invert: boolean): ListMetadataCondition[] {
  const path = claimPath(name);
  if (path === undefined) return [];
  const pattern = patternOf(text);
  return [{ filter: JWT_FILTER, path: [JWT_PAYLOAD, ...path], ...(pattern === undefined ? {} : { pattern }), invert }];
}
