import { hostsMatch } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import { isTls } from "#core/model/protocol.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { ListenerSettings } from "../settings.ts";
import type { ChainPlan } from "./chain.ts";
import type { Claim } from "./claim.ts";
import { httpChain } from "./http-chain.ts";
import type { FindService } from "./tcp-body.ts";
import { ownTcpChain, tcpChains } from "./tcp-chains.ts";
import { ownTlsChain, tlsChains } from "./tls-chains.ts";

/** The connection manager of a claim; `detected`: only for what is recognised as HTTP. */
export const httpChains = memoize((claim: Claim, settings: ListenerSettings): readonly ChainPlan[] => [httpChain(claim, false, settings)]);
export const detectedHttpChains = memoize((claim: Claim, settings: ListenerSettings): readonly ChainPlan[] => [httpChain(claim, true, settings)]);

/** The chains for anything but HTTP. Without VirtualServices that route it they hang on the claim alone, and outlive most changes. */
export function byteChains(claim: Claim, scope: Scope, virtualServices: readonly VirtualService[], settings: ListenerSettings): readonly ChainPlan[] {
  const fitting = routingFor(byteRouting(virtualServices), claim.scoped);
  if (fitting.length === 0) return ownChains(claim, settings);
  return (isTls(claim.port.protocol) ? tlsChains : tcpChains)(claim, fitting, finder(scope.services), settings);
}

const ownChains = memoize((claim: Claim, settings: ListenerSettings): readonly ChainPlan[] => [
  (isTls(claim.port.protocol) ? ownTlsChain : ownTcpChain)(claim, settings),
]);

/** Those that say something of other than HTTP traffic: few, usually. */
const byteRouting = memoize((virtualServices: readonly VirtualService[]): readonly VirtualService[] => {
  const routing = virtualServices.filter(({ tls, tcp }) => tls.length > 0 || tcp.length > 0);
  return routing.length === 0 ? NONE : routing;
});

const NONE: readonly VirtualService[] = [];

function routingFor(virtualServices: readonly VirtualService[], { service }: ScopedService): readonly VirtualService[] {
  if (virtualServices === NONE) return NONE;
  return virtualServices.filter(({ hosts }) => hosts.some((host) => hostsMatch(host, service.host)));
}

const finder = memoize((services: readonly ScopedService[]): FindService => {
  const byHost = new Map(services.map((scoped) => [scoped.service.host, scoped]));
  return (host) => byHost.get(host);
});
