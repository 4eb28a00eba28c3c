import type { DestinationRule } from "./destination-rule.ts";

/** The DestinationRules of one store (Istio's consolidatedSubRules), merged per host. */
export interface DestinationRuleStore {
  readonly exact: ReadonlyMap<string, readonly DestinationRule[]>;
  /** Most specific first. */
  readonly wildcards: readonly { readonly host: string; readonly rules: readonly DestinationRule[] }[];
}

/** Where a client's rule is looked for, in order: its namespace, the service's, the root's (istio `push_context.go` destinationRule). */
export interface DestinationRuleIndex {
  readonly local: ReadonlyMap<string, DestinationRuleStore>;
  readonly exported: ReadonlyMap<string, DestinationRuleStore>;
  readonly rootPrivate: DestinationRuleStore;
}
