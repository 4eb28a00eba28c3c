import { canonicalText } from "#core/lib/canonical.ts";
import type { HTTPMatchRequest, HTTPRoute, StringMatch, VirtualService } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { Findings } from "./findings.ts";

/** Warns of routes and matches that can't be reached, because earlier ones take everything (istio analyzeUnreachable…Rules). */
export function checkReachability(spec: VirtualService, findings: Findings): void {
  const fresh = findUnreachable(spec.http, "spec.http", findings);
  checkCoveredPrefixes(spec.http, fresh, findings);
  findUnreachable(spec.tcp, "spec.tcp", findings);
  findUnreachable(spec.tls, "spec.tls", findings);
}

/** Istio's codes for a route that is never used, and for a match of one. */
const UNREACHABLE = "IST0130";
const INEFFECTIVE = "IST0131";

interface Route {
  readonly match: readonly object[];
}

/** Gives the places of the matches that can be reached, as [route, match]. */
function findUnreachable(routes: readonly Route[], path: string, findings: Findings): readonly (readonly [number, number])[] {
  const open = routes.findIndex(({ match }) => match.length === 0);
  const reachable = open < 0 ? routes : routes.slice(0, open);
  for (const [index, { match }] of routes.entries()) {
    if (open < 0 || index <= open) continue;
    if (match.length === 0) findings.warning(`${path}[${index}]`, "never used: only the last route can be without matches", UNREACHABLE);
    for (const _ of match) findings.warning(`${path}[${index}]`, "never used: an earlier route has no matches", UNREACHABLE);
  }
  return freshMatches(reachable, path, findings);
}

/** Places of the matches that are not the same as an earlier one. */
function freshMatches(routes: readonly Route[], path: string, findings: Findings): readonly (readonly [number, number])[] {
  const seen = new Map<string, number>();
  const fresh: (readonly [number, number])[] = [];
  for (const [index, { match: matches }] of routes.entries()) {
    const before = fresh.length;
    for (const [place, match] of matches.entries()) {
      const content = canonicalText({ ...match, name: "" });
      const earlier = seen.get(content);
      if (earlier === undefined) fresh.push([index, place]);
      else findings.warning(`${path}[${index}].match[${place}]`, `never used: ${path}[${earlier}] has the same match`, INEFFECTIVE);
      seen.set(content, earlier ?? index);
    }
    if (fresh.length === before) findings.warning(`${path}[${index}]`, "never used: earlier routes have all its matches", UNREACHABLE);
  }
  return fresh;
}

interface PrefixMatch {
  readonly path: string;
  readonly prefix: string;
  readonly port: number;
  readonly method: string;
  readonly authority: string;
  /** Headers, query parameters and headers that must be absent. */
  readonly maps: readonly ReadonlyMap<string, string>[];
}

function checkCoveredPrefixes(routes: readonly HTTPRoute[], places: readonly (readonly [number, number])[], findings: Findings): void {
  const matches = places.flatMap(([route, place]) => prefixMatch(routes[route]?.match[place], `spec.http[${route}].match[${place}]`) ?? []);
  for (const [index, earlier] of matches.entries()) {
    for (const later of matches.slice(index + 1)) {
      if (later.prefix !== earlier.prefix && covers(earlier, later)) {
        findings.warning(later.path, `never used: the prefix "${earlier.prefix}" of ${earlier.path} covers "${later.prefix}"`, INEFFECTIVE);
      }
    }
  }
}

function prefixMatch(match: HTTPMatchRequest | undefined, path: string): PrefixMatch | undefined {
  if (match?.uri?.matchType.case !== "prefix" || match.uri.matchType.value === "") return undefined;
  const maps = [match.headers, match.queryParams, match.withoutHeaders].map(
    (entries) => new Map(Object.entries(entries).map(([key, value]) => [key, literal(value)] as const)),
  );
  return {
    path,
    prefix: match.uri.matchType.value,
    port: match.port,
    method: literal(match.method) || "exact:GET",
    authority: literal(match.authority),
    maps,
  };
}

/** What a match compares with; "" for a regular expression or none. */
function literal(match: StringMatch | undefined): string {
  const { case: kind, value } = match?.matchType ?? {};
  return (kind === "exact" || kind === "prefix") && value ? `${kind}:${value}` : "";
}

function covers(earlier: PrefixMatch, later: PrefixMatch): boolean {
  return (
    later.prefix.startsWith(earlier.prefix) &&
    later.port === earlier.port &&
    earlier.method.startsWith(later.method) &&
    earlier.authority.startsWith(later.authority) &&
    earlier.maps.every((map, index) => mapCovers(map, later.maps[index]))
  );
}

function mapCovers(earlier: ReadonlyMap<string, string>, later: ReadonlyMap<string, string> | undefined): boolean {
  if (earlier.size !== later?.size) return false;
  return [...earlier].every(([key, value]) => later.has(key) && value.startsWith(later.get(key) ?? ""));
}
