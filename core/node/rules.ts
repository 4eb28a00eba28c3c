/** A set of labels that something selects by; it matches a node that has them all. */
export type LabelSet = Readonly<Record<string, string>>;

/** A Sidecar object as placement needs it. */
export interface SidecarRule {
  /** `namespace/name`. */
  readonly id: string;
  readonly selector?: LabelSet;
}

/** Which facts of a node a group of names looks at, beyond cluster, network and address families. */
export interface Reads {
  readonly locality: boolean;
  readonly nodeName: boolean;
  /** Label keys, sorted. */
  readonly labels: readonly string[];
}

/** What the objects of one scope look at, found when the scope was compiled. */
export interface ScopeReads {
  /** One vantage layer for each group of names that read the same facts. */
  readonly vantage: readonly Reads[];
  /** Pod addresses that have a listener of their own, sorted: a node behind one of them must not be given it. */
  readonly ownAddressListeners: readonly string[];
  /** The Sidecar has ingress listeners without a bind, which take the node's own address. */
  readonly bindsOwnAddress: boolean;
}

/** Every selector of the mesh. */
export interface Selectors {
  readonly rootNamespace: string;
  /** By namespace, in order of precedence: with a selector, oldest first, then the one without. The root namespace's default comes last of all. */
  readonly sidecars: Readonly<Record<string, readonly SidecarRule[]>>;
  /** Label sets that decide what clients of a namespace see (DestinationRule workloadSelector). */
  readonly clientSelectors: Readonly<Record<string, readonly LabelSet[]>>;
  /** Label sets that VirtualServices of any namespace look for in their client (`sourceLabels`). */
  readonly sourceSelectors: readonly LabelSet[];
  /** Label sets by which Services and ServiceEntries of a namespace select the workloads behind them: the Pod's own labels decide. */
  readonly serviceSelectors: Readonly<Record<string, readonly LabelSet[]>>;
  /** Label sets by which policies of a namespace select workloads: the effective labels decide. */
  readonly policySelectors: Readonly<Record<string, readonly LabelSet[]>>;
  /** Gateways select routers by label, from any namespace. */
  readonly gatewaySelectors: readonly LabelSet[];
}

/**
 * Placement rules: every selector of the mesh, and what scopes read. They are data of an edition, so that whoever serves it can place a node
 * without knowing how anything is translated.
 */
export interface Rules extends Selectors {
  /** Groups of the general vantage layers, which all scopes share. */
  readonly generalReads: readonly Reads[];
  /** By key of the scope layer; absent for a scope that nothing was compiled for yet. */
  readonly scopeReads: Readonly<Record<string, ScopeReads>>;
}
