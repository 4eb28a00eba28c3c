import { familyOf } from "#core/lib/address.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { NetworkGateway } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";

/** Gateways as load assignments look them up, each list by address and port. */
export interface GatewayIndex {
  readonly byNetwork: ReadonlyMap<string, readonly NetworkGateway[]>;
  readonly byNetworkAndCluster: ReadonlyMap<string, readonly NetworkGateway[]>;
  /** Every weight is multiplied by this, so that it can be shared between any number of gateways without a rest. */
  readonly scale: number;
  /** Of all of them: each counts in the scale. */
  readonly sources: readonly ObjectKey[];
}

/** Gateways with an IP address: what EDS can use (istio `pilot/pkg/model/network.go` NetworkGateways). */
export const addressedGateways = memoize((gateways: readonly NetworkGateway[]): GatewayIndex => index(gateways.filter(isAddressed)));

/**
 * What DNS clusters know of gateways: host names too, but nothing at all if one has an address. Istio brings its list for them up to date only when
 * the addresses stayed as they were (`model/network.go` reload, Unresolved), so that it is empty in a mesh whose gateways came with their addresses.
 */
export const unresolvedGateways = memoize((gateways: readonly NetworkGateway[]): GatewayIndex => index(gateways.some(isAddressed) ? [] : gateways));

function isAddressed({ address }: NetworkGateway): boolean {
  return familyOf(address) !== undefined;
}

function index(gateways: readonly NetworkGateway[]): GatewayIndex {
  const byNetwork = groupBy(gateways, ({ network }) => network);
  const byNetworkAndCluster = groupBy(gateways, ({ network, cluster }) => placeKey(network, cluster));
  const counts = [...byNetwork.values(), ...byNetworkAndCluster.values()].map((group) => group.length);
  return {
    byNetwork: usable(byNetwork),
    byNetworkAndCluster: usable(byNetworkAndCluster),
    scale: counts.reduce(leastCommonMultiple, 1),
    sources: [...new Set(gateways.flatMap(({ sources }) => sources))],
  };
}

/** Gateways without mutual TLS stand in the way of others of their network, and count, but are not used. */
function usable(groups: ReadonlyMap<string, readonly NetworkGateway[]>): ReadonlyMap<string, readonly NetworkGateway[]> {
  return new Map([...groups].map(([key, group]) => [key, group.filter(({ port }) => port !== 0)]));
}

/** Gateways in the endpoint's own cluster, else any of its network. */
export function gatewaysFor(network: string, cluster: string, { byNetwork, byNetworkAndCluster }: GatewayIndex): readonly NetworkGateway[] {
  return byNetworkAndCluster.get(placeKey(network, cluster)) ?? byNetwork.get(network) ?? [];
}

/** A node of one family reaches gateways of that family only, and none by name. */
export function reachable(gateways: readonly NetworkGateway[], { families }: Vantage): readonly NetworkGateway[] {
  if (families === "dual") return gateways;
  return gateways.filter(({ address }) => (address.startsWith("::ffff:") ? "v4" : familyOf(address)) === families);
}

function placeKey(network: string, cluster: string): string {
  return `${network}/${cluster}`;
}

function leastCommonMultiple(a: number, b: number): number {
  return ((a * b) / greatestCommonDivisor(a, b)) >>> 0;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
