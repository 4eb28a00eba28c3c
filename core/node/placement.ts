import type { AddressTarget } from "./directory.ts";
import type { Dialect, Facts, ProxyFeatures } from "./facts.ts";
import type { LabelSet, Reads } from "./rules.ts";
import type { Vantage } from "./vantage.ts";

/** What decides a scope layer: nodes with an equal value see the same services, rules and names. */
export interface ScopePlacement {
  readonly type: "sidecar" | "router";
  readonly dialect: Dialect;
  readonly namespace: string;
  readonly cluster: string;
  readonly dnsDomain: string;
  /** Sidecar in force, `namespace/name`. */
  readonly sidecar?: string;
  /** Union of the label sets that match the node: they match exactly the selectors that the node's own labels match. */
  readonly labels: LabelSet;
  readonly features: ProxyFeatures;
  /** The node's own ProxyConfig, which replaces the mesh's default entirely. */
  readonly proxyConfig?: Facts["proxyConfig"];
}

/** What decides one vantage layer; without `scope` it is one that all scopes share. */
export interface VantagePlacement {
  readonly scope?: ScopePlacement;
  readonly reads: Reads;
  readonly vantage: Vantage;
}

/** What decides a workload layer. */
export interface WorkloadPlacement {
  readonly scope: ScopePlacement;
  /** As `labels` of {@link ScopePlacement}, over the selectors of policies. */
  readonly policyLabels: LabelSet;
  /** Likewise over the selectors of services, matched against the workload's own labels. */
  readonly serviceLabels: LabelSet;
  readonly containerPorts: readonly { readonly name: string; readonly containerPort: number; readonly protocol: string }[];
  /** Where targets come from: the registered Pod or WorkloadEntry, endpoints with the node's address, or what the node says. */
  readonly registered: "pod" | "workload-entry" | "none";
  /** `namespace/name`, where `registered` says so. */
  readonly workloadEntry?: string;
  /** Service ports found by address: those of ServiceEntries, and of EndpointSlices where no Service selects the Pod. */
  readonly targets: readonly AddressTarget[];
  readonly literals: Literals;
  readonly network: string;
  /** Only where a proxy shares its host: the workload answers at another loopback address than the one where listeners bind. */
  readonly standsApart?: true;
  /** Only of gRPC servers: a label tells clients of the mesh that the workload speaks mutual TLS. */
  readonly speaksMtls?: true;
}

/** Facts that appear verbatim in a workload's listeners. */
export interface Literals {
  /** As the node states it, "" if it does not. */
  readonly namespace: string;
  readonly canonicalName: string;
  readonly canonicalRevision: string;
  readonly meshId: string;
  readonly workloadName: string;
}

/** What depends on the node's own addresses alone. */
export interface NodePlacement {
  readonly workload: WorkloadPlacement;
  readonly addresses: readonly string[];
}

/** One layer that a node is served: its key is the digest of the value beside it. */
export type PlacedLayer =
  | { readonly kind: "scope"; readonly key: string; readonly placement: ScopePlacement }
  | { readonly kind: "vantage"; readonly key: string; readonly placement: VantagePlacement }
  | { readonly kind: "workload"; readonly key: string; readonly placement: WorkloadPlacement }
  | { readonly kind: "node"; readonly key: string; readonly placement: NodePlacement };

/** The complete value that decides what a node is served: its layers, later ones winning. */
export interface Placement {
  readonly layers: readonly PlacedLayer[];
}
