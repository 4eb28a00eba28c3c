import type { Vantage } from "#core/node/vantage.ts";
import type { LocalitySetting } from "../policy/locality-setting.ts";
import { distribute } from "./distribute.ts";
import { failOverByLocality, failOverByRegion } from "./failover.ts";
import { failOverByLabels, priorityLabels } from "./failover-priority.ts";
import type { Group } from "./group.ts";

const NOWHERE = { region: "", zone: "", subzone: "" };

/** Gives groups the weights and priorities that they have for this client (istio `core/loadbalancer/loadbalancer.go` ApplyToLoadAssignment). */
export function balance(groups: readonly Group[], locality: LocalitySetting | undefined, vantage: Vantage): readonly Group[] {
  if (locality === undefined) return groups;
  const client = vantage.locality ?? NOWHERE;
  const labels = vantage.labels ?? {};
  if (locality.kind === "zone-aware") {
    const { enabled, failover, failoverPriority } = locality.setting;
    if (enabled === false) return groups;
    return failOverByRegion(failoverPriority.length > 0 ? failOverByLabels(groups, labels, failoverPriority) : groups, client, failover);
  }
  const { distribute: shares, failover, failoverPriority } = locality.setting;
  if (shares.length > 0) return distribute(groups, client, shares);
  if (!locality.failover) return groups;
  if (failoverPriority.length === 0) return failOverByLocality(groups, client, failover);
  const ranked = failOverByLabels(groups, labels, failoverPriority);
  return failover.length > 0 ? failOverByLocality(ranked, client, failover) : ranked;
}

/** Which facts of a client {@link balance} looks at. */
export function balanceReads(locality: LocalitySetting | undefined): { readonly locality: boolean; readonly labels: readonly string[] } {
  if (locality === undefined) return { locality: false, labels: [] };
  if (locality.kind === "zone-aware") {
    if (locality.setting.enabled === false) return { locality: false, labels: [] };
    return { locality: true, labels: labelKeys(locality.setting.failoverPriority) };
  }
  const { distribute: shares, failover, failoverPriority } = locality.setting;
  if (shares.length > 0) return { locality: true, labels: [] };
  if (!locality.failover) return { locality: false, labels: [] };
  return { locality: failoverPriority.length === 0 || failover.length > 0, labels: labelKeys(failoverPriority) };
}

/** Sorted; a pinned label is not read from the client. */
function labelKeys(entries: readonly string[]): readonly string[] {
  return [...new Set(priorityLabels(entries).flatMap(({ key, pinned }) => (pinned === undefined ? [key] : [])))].sort();
}
