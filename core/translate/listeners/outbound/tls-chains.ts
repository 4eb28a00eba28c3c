import { isWildcard } from "#core/lib/hostname.ts";
import type { TlsMatch, VirtualService } from "#core/model/virtual-service.ts";
import { alternatives } from "../../routes/domains.ts";
import { serviceAddress, UNSPECIFIED } from "../../service-address.ts";
import { isMeetingPlace, wildcard } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";
import type { ChainPlan, PlannedMatch } from "./chain.ts";
import type { Claim } from "./claim.ts";
import { sourcesOf } from "./sources.ts";
import { type FindService, ownBody, routeBody } from "./tcp-body.ts";

/**
 * The chains of a port that carries TLS: one for each fitting match of the VirtualServices, else one to the service itself
 * (istio `tls.go` buildSidecarOutboundTLSFilterChainOpts). `tcp` routes don't count here.
 */
export function tlsChains(
  claim: Claim,
  virtualServices: readonly VirtualService[],
  find: FindService,
  settings: ListenerSettings,
): readonly ChainPlan[] {
  const chains: ChainPlan[] = [];
  // Once a match names subnets, they hold for every later chain of the service, as Istio's loop has it.
  let ranges = claim.ranges;
  const handled = new Set<string>();
  for (const { virtualService, route, match } of virtualServices.flatMap((candidate) => fittingMatches(candidate, claim))) {
    if (match.destinationSubnets.length > 0 && claim.port.number > 0) ranges = match.destinationSubnets;
    const key = `${match.sniHosts.join(",")}|${match.destinationSubnets.join(",")}`;
    const body = handled.has(key) ? undefined : routeBody(route, { claim, virtualService, find, settings });
    handled.add(key);
    if (body !== undefined)
      chains.push({ match: tlsMatch(match.sniHosts, ranges), body, virtualService, from: sourcesOf(virtualService, route, find) });
  }
  return chains.length > 0 ? chains : [ownTlsChain(claim, settings)];
}

function fittingMatches(virtualService: VirtualService, claim: Claim) {
  const routes = virtualService.tls.filter(({ route }) => route.length > 0);
  return routes.flatMap(({ match, route }) => match.filter((one) => fitsPort(one, claim)).map((one) => ({ virtualService, route, match: one })));
}

/** Is the match for the port of the claim? */
export function fitsPort(match: Pick<TlsMatch, "port">, { port }: Claim): boolean {
  return match.port === 0 || match.port === port.number;
}

function tlsMatch(serverNames: readonly string[], ranges: readonly string[]): PlannedMatch {
  return { serverNames, ranges, applicationProtocols: [], transport: "" };
}

/** The service itself, told by its name where its address doesn't tell. */
export function ownTlsChain(claim: Claim, settings: ListenerSettings): ChainPlan {
  const names = needsName(claim, settings) ? ownNames(claim, settings) : [];
  return { match: tlsMatch(names, claim.ranges), body: ownBody(claim, settings), from: claim.scoped.ruleSources };
}

function needsName({ binds, ranges, scoped: { service } }: Claim, settings: ListenerSettings): boolean {
  if (ranges.length > 0 || (service.resolution === "dynamic-dns" && isWildcard(service.host))) return true;
  const address = serviceAddress(service, settings.addresses);
  if (address === "" || address.includes("/")) return true;
  const meets = isMeetingPlace(binds[0], settings);
  return meets && (binds[0] !== wildcard(settings) || isEverywhere(address, service.registry, settings));
}

function isEverywhere(address: string, registry: string, settings: ListenerSettings): boolean {
  const v6Entry = registry === "External" && settings.addresses.families === "v6" && address === UNSPECIFIED;
  return v6Entry || address === wildcard(settings);
}

/** Aliases go by their short names too. */
function ownNames({ scoped: { service } }: Claim, settings: ListenerSettings): readonly string[] {
  return [service.host, ...service.aliases.flatMap(({ host }) => [host, ...alternatives(host, 0, settings.dnsDomain)])];
}
