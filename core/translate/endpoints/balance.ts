import type { Reads } from "#core/node/rules.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";
import { distribute } from "./distribute.ts";
import { failOverByLocality, failOverByRegion } from "./failover.ts";
import { failOverByLabels, priorityLabels } from "./failover-priority.ts";
import type { Group } from "./group.ts";

const NOWHERE = { region: "", zone: "", subzone: "" };

type Balanced = Pick<AssignmentSpec, "locality" | "ranksByLabels">;

/** Gives groups the weights and priorities that they have for this client (istio `core/loadbalancer/loadbalancer.go` ApplyToLoadAssignment). */
export function balance(groups: readonly Group[], { locality, ranksByLabels }: Balanced, vantage: Vantage): readonly Group[] {
  if (locality === undefined) return groups;
  const client = vantage.locality ?? NOWHERE;
  const { failoverPriority } = locality.setting;
  const ranked = (): readonly Group[] =>
    failoverPriority.length > 0 && ranksByLabels ? failOverByLabels(groups, vantage.labels ?? {}, failoverPriority) : groups;
  if (locality.kind === "zone-aware")
    return locality.setting.enabled === false ? groups : failOverByRegion(ranked(), client, locality.setting.failover);
  const { distribute: shares, failover } = locality.setting;
  if (shares.length > 0) return distribute(groups, client, shares);
  if (!locality.failover) return groups;
  return failoverPriority.length === 0 || failover.length > 0 ? failOverByLocality(ranked(), client, failover) : ranked();
}

/** Which facts of a client {@link balance} looks at. */
export function balanceReads({ locality, ranksByLabels }: Balanced): Pick<Reads, "locality" | "labels"> {
  if (locality === undefined) return NO_BALANCE;
  const { failoverPriority } = locality.setting;
  const labels = ranksByLabels ? labelKeys(failoverPriority) : [];
  if (locality.kind === "zone-aware") return locality.setting.enabled === false ? NO_BALANCE : { locality: true, labels };
  const { distribute: shares, failover } = locality.setting;
  if (shares.length > 0) return { locality: true, labels: [] };
  return locality.failover ? { locality: failoverPriority.length === 0 || failover.length > 0, labels } : NO_BALANCE;
}

/** Of a client whose endpoints are not balanced. */
export const NO_BALANCE: Pick<Reads, "locality" | "labels"> = { locality: false, labels: [] };

/** Sorted; a pinned label is not read from the client. */
function labelKeys(entries: readonly string[]): readonly string[] {
  return [...new Set(priorityLabels(entries).flatMap(({ key, pinned }) => (pinned === undefined ? [key] : [])))].sort();
}
