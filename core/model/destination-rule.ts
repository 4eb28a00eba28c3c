import type { ObjectKey } from "#core/lib/object-key.ts";
import type { TrafficPolicy } from "./traffic-policy.ts";

export interface Subset {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly policy?: TrafficPolicy;
}

/** One DestinationRule, or several of one namespace and host merged as Istio merges them. */
export interface DestinationRule {
  /** Of the oldest rule of the merger: metadata names this one. */
  readonly name: string;
  readonly namespace: string;
  /** Full host name, maybe a wildcard. */
  readonly host: string;
  readonly policy?: TrafficPolicy;
  /** First definition of a name only. */
  readonly subsets: readonly Subset[];
  /** As written, `.` and `*` included: merging compares this very set. Empty: the mesh's default. */
  readonly exportTo: readonly string[];
  readonly workloadSelector?: Readonly<Record<string, string>>;
  readonly sources: readonly ObjectKey[];
}
