import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { expandHost } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { compareAge } from "../age.ts";
import { diagnose, localName, selectorText } from "./diagnose.ts";

type RuleObject = SourceObject<"DestinationRule">;

/**
 * What is lost where several DestinationRules of a namespace have one host and one audience: they are merged, the oldest one's policy and the first subset
 * of a name count (istio `model/destination_rule.go` mergeDestinationRule).
 */
export const checkIgnoredRules = memoize((rules: readonly RuleObject[], { domainSuffix }: MeshConfig): readonly Diagnostic[] => {
  const groups = groupBy(rules, ({ key, spec }) => {
    const audience = [...new Set(spec.exportTo)].sort().join();
    const selector = spec.workloadSelector === undefined ? "" : selectorText(spec.workloadSelector.matchLabels);
    return [key.namespace, expandHost(spec.host, key.namespace, domainSuffix), audience, selector].join(" ");
  });
  return [...groups.values()].flatMap((group) => (group.length < 2 ? [] : checkGroup(group.toSorted(compareAge))));
});

function checkGroup(rules: readonly RuleObject[]): readonly Diagnostic[] {
  let policy: RuleObject | undefined;
  const subsets = new Map<string, RuleObject>();
  const found: Diagnostic[] = [];
  for (const rule of rules) {
    const { trafficPolicy } = rule.spec;
    if (trafficPolicy !== undefined && policy !== undefined) found.push(...ignored(rule, "spec.trafficPolicy", "the policy", policy));
    if (trafficPolicy !== undefined) policy ??= rule;
    for (const [index, { name }] of rule.spec.subsets.entries()) {
      const owner = subsets.get(name);
      if (owner === undefined) subsets.set(name, rule);
      else if (owner !== rule) found.push(...ignored(rule, `spec.subsets[${index}]`, `subset "${name}"`, owner));
    }
  }
  return found;
}

function ignored(rule: RuleObject, field: string, what: string, winner: RuleObject): readonly Diagnostic[] {
  const message = `${what} is ignored: DestinationRule ${localName(winner)}, which is older, has it for the same host "${rule.spec.host}"; join them`;
  return diagnose(rule, { severity: "warning", code: "ALM0102", field, message });
}
