import type { RouteDestination, TcpRoute, VirtualService } from "#core/model/virtual-service.ts";
import type { ListenerSettings } from "../settings.ts";
import type { ChainPlan, PlannedMatch } from "./chain.ts";
import type { Claim } from "./claim.ts";
import { sourcesOf } from "./sources.ts";
import { type FindService, ownBody, type RouteContext, routeBody } from "./tcp-body.ts";
import { fitsPort } from "./tls-chains.ts";

/**
 * The chains of a port that carries bytes: a route without subnets takes everything and ends the search, routes with subnets come beside the chain to the
 * service itself (istio `tls.go` buildSidecarOutboundTCPFilterChainOpts).
 */
export function tcpChains(
  claim: Claim,
  virtualServices: readonly VirtualService[],
  find: FindService,
  settings: ListenerSettings,
): readonly ChainPlan[] {
  const chains: ChainPlan[] = [];
  let covered = false;
  for (const virtualService of virtualServices) {
    const context = { claim, virtualService, find, settings };
    for (const route of virtualService.tcp.filter((candidate) => candidate.route.length > 0)) {
      const subnets = subnetsOf(route, claim);
      if (subnets === "everything") return [...chains, ...routeChain(route.route, claim.ranges, context, true)];
      if (subnets.length > 0) chains.push(...routeChain(route.route, subnets, context, false));
      covered ||= subnets.length > 0 && sameList(subnets, claim.ranges);
    }
  }
  return covered ? chains : [...chains, ownTcpChain(claim, settings)];
}

/** The subnets of the matches that fit the port; none if none fits. */
function subnetsOf({ match: matches }: TcpRoute, claim: Claim): readonly string[] | "everything" {
  if (matches.length === 0) return "everything";
  const fitting = matches.filter((match) => fitsPort(match, claim));
  if (fitting.some(({ destinationSubnets }) => destinationSubnets.length === 0 || claim.port.number === 0)) return "everything";
  return fitting.flatMap(({ destinationSubnets }) => destinationSubnets);
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  const sorted = [...b].sort();
  return a.length === b.length && [...a].sort().every((text, index) => text === sorted[index]);
}

/** Istio does not say of a route with subnets where it comes from. */
function routeChain(route: readonly RouteDestination[], ranges: readonly string[], context: RouteContext, named: boolean): readonly ChainPlan[] {
  const { virtualService, find } = context;
  const body = routeBody(route, context);
  if (body === undefined) return [];
  return [{ match: tcpMatch(ranges), body, ...(named && { virtualService }), from: sourcesOf(virtualService, route, find) }];
}

function tcpMatch(ranges: readonly string[]): PlannedMatch {
  return { serverNames: [], ranges, applicationProtocols: [], transport: "" };
}

/** To the service itself, where no route says otherwise. */
export function ownTcpChain(claim: Claim, settings: ListenerSettings): ChainPlan {
  return { match: tcpMatch(claim.ranges), body: ownBody(claim, settings), from: claim.scoped.ruleSources };
}
