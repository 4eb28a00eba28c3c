import { compareText } from "#core/lib/compare.ts";
import { hostIndex } from "#core/lib/host-index.ts";
import { expandHost } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import { present } from "#core/lib/present.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { DestinationRuleIndex, DestinationRuleStore } from "#core/model/destination-rule-index.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { compareAge } from "../age.ts";
import { addRule } from "./merge-destination-rules.ts";
import { trafficPolicyOf } from "./traffic-policy.ts";

type RuleObject = SourceObject<"DestinationRule">;

/**
 * Puts rules where clients look for them (istio `push_context.go` setDestinationRules): those for a namespace's own clients, those exported from it,
 * and private ones of the root namespace. Within each store rules for one host are merged, selected ones first, then by age.
 */
export function resolveDestinationRules(objects: readonly RuleObject[], config: MeshConfig): DestinationRuleIndex {
  const rules = [...objects].sort(comparePrecedence).map((object) => destinationRuleOf(object, config));
  const local = new Map<string, Map<string, DestinationRule[]>>();
  const exported = new Map<string, Map<string, DestinationRule[]>>();
  const rootPrivate = new Map<string, DestinationRule[]>();
  for (const rule of rules) {
    if (isForOwnNamespace(rule)) add(storeIn(local, rule.namespace), rule);
    if (!isPrivate(rule, config)) add(storeIn(exported, rule.namespace), rule);
    else if (rule.namespace === config.rootNamespace) add(rootPrivate, rule);
  }
  return {
    local: indexed(local),
    exported: indexed(exported),
    rootPrivate: hostIndex(rootPrivate),
    named: new Set(rules.flatMap((rule) => rule.exportTo)),
  };
}

function comparePrecedence(a: RuleObject, b: RuleObject): number {
  return (
    Number(a.spec.workloadSelector === undefined) - Number(b.spec.workloadSelector === undefined) ||
    compareAge(a, b) ||
    compareText(a.key.cluster, b.key.cluster)
  );
}

function isForOwnNamespace({ exportTo, namespace }: DestinationRule): boolean {
  return exportTo.length === 0 || exportTo.includes("*") || exportTo.includes(".") || exportTo.includes(namespace);
}

/** Only `.` is known as a default; anything else exports. */
function isPrivate({ exportTo, namespace }: DestinationRule, config: MeshConfig): boolean {
  if (exportTo.length === 0) return config.defaultDestinationRuleExportTo.includes(".");
  return exportTo.every((entry) => entry === exportTo[0]) && (exportTo[0] === "." || exportTo[0] === namespace);
}

function storeIn(stores: Map<string, Map<string, DestinationRule[]>>, namespace: string): Map<string, DestinationRule[]> {
  const store = stores.get(namespace) ?? new Map<string, DestinationRule[]>();
  stores.set(namespace, store);
  return store;
}

function add(store: Map<string, DestinationRule[]>, rule: DestinationRule): void {
  const rules = store.get(rule.host) ?? [];
  store.set(rule.host, rules);
  addRule(rules, rule);
}

function indexed(stores: ReadonlyMap<string, ReadonlyMap<string, readonly DestinationRule[]>>): ReadonlyMap<string, DestinationRuleStore> {
  return new Map([...stores].map(([namespace, store]) => [namespace, hostIndex(store)]));
}

/** A rule for selected workloads never leaves its namespace, whatever it says. */
const destinationRuleOf = memoize(({ key, spec }: RuleObject, config: MeshConfig): DestinationRule => {
  return present({
    name: key.name,
    namespace: key.namespace,
    host: expandHost(spec.host, key.namespace, config.domainSuffix),
    policy: trafficPolicyOf(spec.trafficPolicy),
    subsets: spec.subsets.map(({ name, labels, trafficPolicy }) => present({ name, labels, policy: trafficPolicyOf(trafficPolicy) })),
    exportTo: spec.workloadSelector === undefined ? spec.exportTo : ["."],
    workloadSelector: spec.workloadSelector?.matchLabels,
    sources: [key],
  });
});
