import { compareText } from "#core/lib/compare.ts";
import { memoize } from "#core/lib/memo.ts";
import { CLUSTER_LABEL, NETWORK_LABEL } from "#core/lib/topology.ts";
import type { NetworkGateway } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import { type GatewayIndex, gatewaysFor, reachable } from "./gateway-index.ts";
import { type Group, MAX_WEIGHT, regroup } from "./group.ts";
import { type Member, reweigh, takesMtls } from "./member.ts";

/**
 * Replaces endpoints of other networks by the gateways into them (istio `xds/endpoints/ep_filters.go` EndpointsByNetworkFilter). Without any gateway
 * everything is taken to be reachable. A group that loses its endpoints stays, without weight.
 */
export function splitHorizon(groups: readonly Group[], vantage: Vantage, gateways: GatewayIndex): readonly Group[] {
  return gateways.byNetwork.size === 0 ? groups : groups.map((group) => splitGroup(group, vantage, gateways));
}

function splitGroup(group: Group, vantage: Vantage, index: GatewayIndex): Group {
  const direct: Member[] = [];
  const shares = new Map<NetworkGateway, number>();
  for (const member of group.members) {
    const weight = scaled(member.weight, index.scale);
    const gateways = gatewaysFor(member.place.network, member.place.cluster, index);
    if (isDirect(member, vantage, gateways)) {
      if (hasHost(member)) direct.push(reweigh(member, weight));
      continue;
    }
    const usable = takesMtls(member) ? reachable(gateways, vantage) : [];
    for (const gateway of usable) shares.set(gateway, ((shares.get(gateway) ?? 0) + Math.floor(weight / usable.length)) >>> 0);
  }
  const behind = [...shares].sort(([a], [b]) => compareGateways(a, b)).map(([gateway, weight]) => reweigh(gatewayMember(gateway), weight || 1));
  return regroup(group, [...direct, ...behind]);
}

/** Neither one that is behind a gateway alone nor a Unix socket, which Istio takes for one (`networking/util` GetEndpointHost). */
function hasHost({ address, port }: Member): boolean {
  return address !== "" && port !== 0;
}

/** In the node's network, in none, or in one without gateways; a node that doesn't know its own network uses every gateway there is. */
function isDirect({ place: { network } }: Member, vantage: Vantage, gateways: readonly NetworkGateway[]): boolean {
  if (gateways.length === 0) return true;
  return network === "" || network === vantage.network;
}

function scaled(weight: number, scale: number): number {
  return weight < Math.floor(MAX_WEIGHT / scale) ? weight * scale : MAX_WEIGHT;
}

function compareGateways(a: NetworkGateway, b: NetworkGateway): number {
  return compareText(a.address, b.address) || a.port - b.port || compareText(a.network, b.network) || compareText(a.cluster, b.cluster);
}

const gatewayMember = memoize(({ address, port, network, cluster }: NetworkGateway): Member => {
  const labels = { ...(cluster === "" ? {} : { [CLUSTER_LABEL]: cluster }), ...(network === "" ? {} : { [NETWORK_LABEL]: network }) };
  return {
    address,
    port,
    health: "unset",
    tlsMode: "istio",
    server: { workloadName: "", namespace: "", cluster, traits: { canonicalName: "", canonicalRevision: "" } },
    tunnelled: false,
    weight: 1,
    place: { labels, network, cluster, locality: "" },
  };
});
