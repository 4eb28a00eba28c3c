import { equalLabels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";

/**
 * Adds a rule to the rules of one store that have its host, which are in order of precedence (istio `model/destination_rule.go` mergeDestinationRule).
 * It joins each of them that is exported to the same namespaces or to fewer, provided that both select the same workloads or none;
 * it also stands alone if the last one that was looked at did not take it in.
 */
export function addRule(rules: DestinationRule[], incoming: DestinationRule): void {
  let alone = true;
  for (const [index, existing] of rules.entries()) {
    const relation = relationOf(existing, incoming);
    alone = relation !== "joins";
    if (relation !== "apart") rules[index] = merge(existing, incoming);
  }
  if (alone) rules.push(incoming);
}

type Relation = "joins" | "joins and stands alone" | "apart";

function relationOf(existing: DestinationRule, incoming: DestinationRule): Relation {
  const equal = isSuperset(existing.exportTo, incoming.exportTo) && isSuperset(incoming.exportTo, existing.exportTo);
  const wider = existing.exportTo.length > 0 && isSuperset(incoming.exportTo, existing.exportTo);
  if (!equal && !wider) return "apart";
  const [one, other] = [existing.workloadSelector, incoming.workloadSelector];
  if (one === undefined && other === undefined) return "joins";
  if (one !== undefined && other !== undefined) return equalLabels(one, other) ? "joins" : "apart";
  // Istio lets a selected rule swallow a general one that is exported alike, so that nobody else sees it (its issue 58322).
  return equal ? "apart" : "joins and stands alone";
}

function isSuperset(outer: readonly string[], inner: readonly string[]): boolean {
  return inner.every((entry) => outer.includes(entry));
}

/** The older rule keeps its name, audience, policy and subsets; the younger one fills in a policy if there is none, and subsets of new names. */
const merge = memoize((existing: DestinationRule, incoming: DestinationRule): DestinationRule => {
  const known = new Set(existing.subsets.map((subset) => subset.name));
  const policy = existing.policy ?? incoming.policy;
  return {
    ...existing,
    ...(policy === undefined ? {} : { policy }),
    subsets: [...existing.subsets, ...incoming.subsets.filter((subset) => !known.has(subset.name))],
    sources: [...existing.sources, ...incoming.sources],
  };
});
