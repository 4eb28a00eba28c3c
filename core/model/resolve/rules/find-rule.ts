import { mostSpecific } from "#core/lib/host-index.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { DestinationRuleIndex } from "#core/model/destination-rule-index.ts";

/** Who asks for the rule of which service: namespaces of the client, of the service and of the mesh's root. */
export interface RuleQuery {
  readonly client: string;
  readonly service: { readonly host: string; readonly namespace: string };
  readonly root: string;
}

/** Rules that a client finds for a service. */
export interface FoundRules {
  /** In force, in order. */
  readonly rules: readonly DestinationRule[];
  /** Those that were looked at, the ones in force among them: with another of these, others could be. */
  readonly weighed: readonly DestinationRule[];
}

const NONE: readonly DestinationRule[] = [];
const NOTHING: FoundRules = { rules: NONE, weighed: NONE };

/**
 * The rules in force for a client and a service, in order. The first place with any rule whose host fits wins as a whole: the client's namespace
 * (for clients in the root namespace: its private rules), the service's, the root's; so a wildcard there beats an exact host elsewhere.
 * Only a place all of whose rules for the host are exported to others is passed over (istio `push_context.go` destinationRule).
 */
export function rulesFor(index: DestinationRuleIndex, { client, service, root }: RuleQuery): FoundRules {
  const own = client === root ? index.rootPrivate : index.local.get(client);
  const found = own === undefined ? undefined : mostSpecific(own, service.host);
  if (found !== undefined) return { rules: found, weighed: found };
  const atService = exportedFrom(index, service.namespace, { host: service.host, client });
  if (atService.rules.length > 0) return atService;
  const atRoot = exportedFrom(index, root, { host: service.host, client });
  return atService.weighed.length === 0 ? atRoot : { rules: atRoot.rules, weighed: [...atService.weighed, ...atRoot.weighed] };
}

function exportedFrom(index: DestinationRuleIndex, owner: string, { host, client }: { readonly host: string; readonly client: string }): FoundRules {
  const store = index.exported.get(owner);
  const rules = store === undefined ? undefined : mostSpecific(store, host);
  if (rules === undefined) return NOTHING;
  return { rules: rules.every((rule) => isExportedTo(rule, client)) ? rules : rules.filter((rule) => isExportedTo(rule, client)), weighed: rules };
}

function isExportedTo({ exportTo }: DestinationRule, client: string): boolean {
  return exportTo.length === 0 || exportTo.includes("*") || exportTo.includes(client);
}

/** The objects behind rules. */
export const sourcesOfRules = memoize((...rules: readonly DestinationRule[]): readonly ObjectKey[] => {
  return [...new Set(rules.flatMap(({ sources }) => sources))];
});

/**
 * Of the rules in force, the one for clients with these labels: the first of the client's namespace that selects them, else the last general one
 * (istio `model/sidecar.go` DestinationRule). Without labels (inbound, where selectors don't count): the last general one.
 */
export function chooseRule(rules: readonly DestinationRule[], client: string, labels?: Labels): DestinationRule | undefined {
  let general: DestinationRule | undefined;
  for (const rule of rules) {
    if (rule.workloadSelector === undefined) general = rule;
    else if (labels !== undefined && rule.namespace === client && isSubset(rule.workloadSelector, labels)) return rule;
  }
  return general;
}
