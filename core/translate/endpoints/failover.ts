import type { LocalityLb, ZoneAware } from "#core/model/traffic-policy.ts";
import type { Locality } from "#core/node/locality.ts";
import { type Group, withoutGaps, withPriority } from "./group.ts";

/**
 * Orders groups by how near they are: same subzone, zone, region, elsewhere; a failover rule for the client's region puts regions that it does not name
 * last (istio `core/loadbalancer/loadbalancer.go` applyLocalityFailover). Priorities that groups have already stay the coarser order.
 */
export function failOverByLocality(groups: readonly Group[], client: Locality, rules: LocalityLb["failover"]): readonly Group[] {
  const target = rules.find(({ from }) => from === client.region)?.to;
  return withoutGaps(groups.map((group) => withPriority(group, group.priority * 5 + nearness(group.locality, client, target))));
}

function nearness(text: string, client: Locality, target: string | undefined): number {
  const [region = "", zone = "", subzone = ""] = text.split("/");
  if (region !== client.region) return target === undefined || region === target ? 3 : 4;
  if (zone !== client.zone) return 2;
  return subzone === client.subzone ? 0 : 1;
}

/**
 * Zone-aware balancing works within the first priority: the whole region of the client is one, then comes the region it fails over to, then all others
 * (istio `applyZoneAwareRegionalFailover`).
 */
export function failOverByRegion(groups: readonly Group[], client: Locality, rules: ZoneAware["failover"]): readonly Group[] {
  const target = rules.find(({ from }) => from === client.region)?.to;
  const rank = (region: string): number => (region === client.region ? 0 : region === target ? 1 : 2);
  return withoutGaps(groups.map((group) => withPriority(group, group.priority * 3 + rank(group.locality.split("/")[0] ?? ""))));
}
