import type { HostIndex } from "#core/lib/host-index.ts";
import type { DestinationRule } from "./destination-rule.ts";

/** The DestinationRules of one store by host, merged where Istio merges them (its `consolidatedDestRules`): what is left of one host, in order. */
export type DestinationRuleStore = HostIndex<readonly DestinationRule[]>;

/** Where a client's rule is looked for, in order: its namespace, the service's, the root's (istio `push_context.go` destinationRule). */
export interface DestinationRuleIndex {
  readonly local: ReadonlyMap<string, DestinationRuleStore>;
  readonly exported: ReadonlyMap<string, DestinationRuleStore>;
  readonly rootPrivate: DestinationRuleStore;
  /** Namespaces that some rule is exported to by name. All others outside `local` find the same rules. */
  readonly named: ReadonlySet<string>;
}
