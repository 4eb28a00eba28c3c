import type { LocalityGroup } from "#core/envoy/endpoint.ts";
import { compareText } from "#core/lib/compare.ts";
import { placeIn } from "#core/lib/place-in.ts";
import type { Member } from "./member.ts";

/** Weights are unsigned 32-bit numbers in Envoy. */
export const MAX_WEIGHT = 0xffffffff;

/** Endpoints of one locality (and, later, of one priority). */
export interface Group {
  /** As text: `r1/z1` and `r1/z1/` are two groups. */
  readonly locality: string;
  readonly members: readonly Member[];
  /** Undefined for a group that lost its members. */
  readonly weight: number | undefined;
  readonly priority: number;
}

/** Groups endpoints by locality, sorted; a group weighs as much as its members, at most the largest number (istio `endpoint_builder.go` generate). */
export function groupByLocality(members: readonly Member[]): readonly Group[] {
  const groups: { readonly locality: string; readonly members: Member[]; weight: number; readonly priority: number }[] = [];
  for (const member of members) {
    const { locality } = member.place;
    const { index, found } = placeIn(groups, (group) => compareText(group.locality, locality));
    const group = groups[index];
    if (found && group !== undefined) {
      group.members.push(member);
      group.weight = Math.min(group.weight + member.weight, MAX_WEIGHT);
    } else {
      groups.splice(index, 0, { locality, members: [member], weight: Math.min(member.weight, MAX_WEIGHT), priority: 0 });
    }
  }
  return groups;
}

/** What a group weighs after its members changed: nothing if there are none; a sum beyond 32 bits wraps around, as it does in Istio. */
export function regroup(group: Group, members: readonly Member[]): Group {
  return { ...group, members, weight: members.length === 0 ? undefined : wrappedSum(members) };
}

/** The weight of endpoints together, beyond 32 bits wrapped around as in Istio. */
export function wrappedSum(members: readonly Member[]): number {
  return members.reduce((sum, { weight }) => (sum + weight) >>> 0, 0);
}

/** Numbers priorities 0, 1, 2… without gaps, in their order. */
export function withoutGaps(groups: readonly Group[]): readonly Group[] {
  const ranks = new Map([...new Set(groups.map(({ priority }) => priority))].sort((a, b) => a - b).map((priority, rank) => [priority, rank]));
  return groups.map((group) => withPriority(group, ranks.get(group.priority) ?? 0));
}

/** The group in another priority. */
export function withPriority(group: Group, priority: number): Group {
  return group.priority === priority ? group : { ...group, priority };
}

/** As it is spelled. */
export function toLocalityGroup({ locality, members, weight, priority }: Group): LocalityGroup {
  return { locality, endpoints: members, weight, priority };
}
