import { compareText } from "#core/lib/compare.ts";
import type { LocalityLb } from "#core/model/traffic-policy.ts";
import { type Locality, parseLocality } from "#core/node/locality.ts";
import type { Group } from "./group.ts";

/**
 * Gives localities the shares that the first entry for the client's own locality says; endpoints of localities that it does not name are taken out
 * (istio `core/loadbalancer/loadbalancer.go` applyLocalityWeights). Of patterns that overlap, the first in order of text takes a group.
 */
export function distribute(groups: readonly Group[], client: Locality, entries: LocalityLb["distribute"]): readonly Group[] {
  const entry = entries.find(({ from }) => localityMatches(client, from));
  if (entry === undefined) return groups;
  const result = [...groups];
  const left = new Set(groups.keys());
  for (const pattern of Object.keys(entry.to).sort(compareText)) {
    const matched = [...left].filter((index) => localityMatches(parseLocality(groups[index]?.locality ?? ""), pattern));
    const total = matched.reduce((sum, index) => (sum + weightOf(groups[index])) >>> 0, 0);
    for (const index of matched) {
      left.delete(index);
      const group = groups[index] as Group;
      const share = (Math.imul(weightOf(group), entry.to[pattern] ?? 0) >>> 0) / total;
      if (share > 0) result[index] = { ...group, weight: Math.ceil(share) };
    }
  }
  for (const index of left) result[index] = { ...(groups[index] as Group), members: [] };
  return result;
}

function weightOf(group: Group | undefined): number {
  return group?.weight ?? 1;
}

/** `*` and a missing part fit anything, but the region must be there (istio `networking/util` LocalityMatch). */
function localityMatches(locality: Locality, pattern: string): boolean {
  const [region = "", zone = "", subzone = ""] = pattern.split("/");
  const fits = (part: string, own: string): boolean => part === "*" || part === "" || part === own;
  return (region === "*" || region === locality.region) && fits(zone, locality.zone) && fits(subzone, locality.subzone);
}
