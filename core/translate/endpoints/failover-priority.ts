import { groupBy } from "#core/lib/group.ts";
import type { Labels } from "#core/lib/labels.ts";
import { own } from "#core/lib/own.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import { type Group, withoutGaps, wrappedSum } from "./group.ts";

/** A label that decides priority; `pinned` stands for the client's own value. */
interface PriorityLabel {
  readonly key: string;
  readonly pinned: string | undefined;
}

/** Reads `key` or `key=value`; with more than one "=" the value is not understood, and a value once pinned holds for every mention of its key. */
export function priorityLabels(entries: readonly string[]): readonly PriorityLabel[] {
  const parts = entries.map((entry) => entry.split("="));
  const pinned = new Map(parts.flatMap(([key = "", value, ...rest]) => (value !== undefined && rest.length === 0 ? [[key, value] as const] : [])));
  return parts.map(([key = ""]) => ({ key, pinned: pinned.get(key) }));
}

/**
 * Orders endpoints by how many of the listed labels agree with the client, in order and up to the first difference; each locality splits into as many groups
 * as it has priorities (istio `core/loadbalancer/loadbalancer.go` applyFailoverPriorities). A difference in the network, where it leads the list, does not
 * end the comparison but ranks behind all others. Localities without endpoints vanish.
 */
export function failOverByLabels(groups: readonly Group[], client: Labels, entries: readonly string[]): readonly Group[] {
  const wanted = priorityLabels(entries).map(({ key, pinned }) => ({ key, value: pinned ?? own(client, key) ?? "" }));
  const leadsWithNetwork = entries[0] === NETWORK_LABEL;
  const split = groups.flatMap((group) => {
    const byRank = [...groupBy(group.members, ({ place }) => rankOf(place.labels, wanted, leadsWithNetwork))].sort(([a], [b]) => a - b);
    return byRank.map(([priority, members]): Group => ({ ...group, members, priority, weight: wrappedSum(members) }));
  });
  return withoutGaps(split);
}

function rankOf(labels: Labels, wanted: readonly { readonly key: string; readonly value: string }[], leadsWithNetwork: boolean): number {
  let behind = 0;
  for (const [index, { key, value }] of wanted.entries()) {
    if ((own(labels, key) ?? "") === value) continue;
    if (index > 0 || !leadsWithNetwork) return behind + wanted.length - index;
    behind = wanted.length;
  }
  return behind;
}
