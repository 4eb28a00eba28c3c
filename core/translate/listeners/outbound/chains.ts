import { hostsMatch } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import { isTls } from "#core/model/protocol.ts";
import type { ListenerSettings } from "../settings.ts";
import type { ChainPlan } from "./chain.ts";
import type { Claim } from "./claim.ts";
import type { Egress } from "./egress.ts";
import { httpChain } from "./http-chain.ts";
import { ownTcpChain, tcpChains } from "./tcp-chains.ts";
import { ownTlsChain, tlsChains } from "./tls-chains.ts";

/** The connection manager of a claim; `detected`: only for what is recognised as HTTP. */
export const httpChains = memoize((claim: Claim, settings: ListenerSettings): readonly ChainPlan[] => [httpChain(claim, false, settings)]);
export const detectedHttpChains = memoize((claim: Claim, settings: ListenerSettings): readonly ChainPlan[] => [httpChain(claim, true, settings)]);

/** The chains for anything but HTTP. Without VirtualServices that route it they hang on the claim alone, and outlive most changes. */
export function byteChains(claim: Claim, { routing, find }: Egress, settings: ListenerSettings): readonly ChainPlan[] {
  const { host } = claim.scoped.service;
  const fitting = routing.filter(({ hosts }) => hosts.some((one) => hostsMatch(one, host)));
  return fitting.length === 0 ? ownChains(claim, settings) : (isTls(claim.port.protocol) ? tlsChains : tcpChains)(claim, fitting, find, settings);
}

const ownChains = memoize((claim: Claim, settings: ListenerSettings): readonly ChainPlan[] => [
  (isTls(claim.port.protocol) ? ownTlsChain : ownTcpChain)(claim, settings),
]);
