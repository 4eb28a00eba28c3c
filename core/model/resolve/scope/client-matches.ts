import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { HttpMatch, HttpRoute, L4Match, TcpRoute, TlsMatch, TlsRoute, VirtualService } from "#core/model/virtual-service.ts";

/** What decides, before any request, whether a match can fit: whose proxy it is, and through which gateways (`mesh` for sidecars). */
export interface RouteClient {
  readonly namespace: string;
  readonly labels: Labels;
  readonly gateways: ReadonlySet<string>;
}

/**
 * Removes the matches that can't fit for this client, and routes that have none left. Ports stay, since they depend on the listener.
 * A rule that loses nothing keeps its identity; equal losses give one identity.
 */
export function forClient(rule: VirtualService, client: RouteClient): VirtualService {
  const matches = conditionalMatches(rule);
  if (matches.length === 0) return rule;
  const verdicts = matches.map((fits) => (fits(client) ? "1" : "0")).join("");
  if (!verdicts.includes("0")) return rule;
  const known = reduced(rule);
  const found = known.get(verdicts) ?? reduce(rule, client);
  known.set(verdicts, found);
  return found;
}

/** As {@link forClient} for a list; a list none of whose rules loses anything keeps its identity. */
export function allForClient(rules: readonly VirtualService[], client: RouteClient): readonly VirtualService[] {
  const out = rules.map((rule) => forClient(rule, client));
  return out.every((rule, index) => rule === rules[index]) ? rules : out;
}

/** Which conditional matches of the rules fit, as text: clients with equal verdicts get equal rules. */
export function clientVerdicts(rules: readonly VirtualService[], client: RouteClient): string {
  return conditionalMatchesOfAll(rules)
    .map((fits) => (fits(client) ? "1" : "0"))
    .join("");
}

type Verdict = (client: RouteClient) => boolean;

/** The matches that look at the client at all. */
const conditionalMatches = memoize((rule: VirtualService): readonly Verdict[] => {
  const http = rule.http.flatMap((route) =>
    route.match.filter(looksAtClient).map(
      (match): Verdict =>
        (client) =>
          httpFits(match, client),
    ),
  );
  const l4 = [...rule.tls, ...rule.tcp].flatMap((route) =>
    route.match.filter(looksAtClient).map(
      (match): Verdict =>
        (client) =>
          l4Fits(match, client),
    ),
  );
  return [...http, ...l4];
});

const conditionalMatchesOfAll = memoize((rules: readonly VirtualService[]): readonly Verdict[] => rules.flatMap((rule) => conditionalMatches(rule)));

const reduced = memoize((_rule: VirtualService) => new Map<string, VirtualService>());

function looksAtClient(match: HttpMatch | L4Match): boolean {
  return match.gateways.length > 0 || match.sourceNamespace !== "" || Object.keys(match.sourceLabels).length > 0;
}

function reduce(rule: VirtualService, client: RouteClient): VirtualService {
  return {
    ...rule,
    http: keepFitting<HttpMatch, HttpRoute>(rule.http, (match) => httpFits(match, client)),
    tls: keepFitting<TlsMatch, TlsRoute>(rule.tls, (match) => l4Fits(match, client)),
    tcp: keepFitting<L4Match, TcpRoute>(rule.tcp, (match) => l4Fits(match, client)),
  };
}

/** A route without matches fits always. */
function keepFitting<M, R extends { readonly match: readonly M[] }>(routes: readonly R[], fits: (match: M) => boolean): readonly R[] {
  return routes.flatMap((route) => {
    const match = route.match.filter(fits);
    if (match.length === route.match.length) return [route];
    return match.length === 0 ? [] : [{ ...route, match }];
  });
}

/** With gateways, the source isn't looked at (istio `core/route/route.go` sourceMatchHTTP). */
function httpFits(match: HttpMatch, client: RouteClient): boolean {
  if (match.gateways.length > 0) return match.gateways.some((gateway) => client.gateways.has(gateway));
  return sourceFits(match, client);
}

/** Everything has to fit (istio `core/tls.go` matchTLS, matchTCP). */
function l4Fits(match: L4Match, client: RouteClient): boolean {
  return (match.gateways.length === 0 || match.gateways.some((gateway) => client.gateways.has(gateway))) && sourceFits(match, client);
}

function sourceFits({ sourceLabels, sourceNamespace }: HttpMatch | L4Match, { labels, namespace }: RouteClient): boolean {
  return isSubset(sourceLabels, labels) && (sourceNamespace === "" || sourceNamespace === namespace);
}
