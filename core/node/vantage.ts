import type { Locality } from "./facts.ts";

/**
 * From where a node looks at endpoints. Only `cluster` and `network` are always given; the rest is present only in layers whose names read it,
 * so that a value of this type is exactly the key of what is made from it.
 */
export interface Vantage {
  readonly cluster: string;
  readonly network: string;
  /** `REQUESTED_NETWORK_VIEW`; absent: all networks are wanted. */
  readonly networkView?: readonly string[];
  readonly locality?: Locality;
  readonly nodeName?: string;
  /** The node's (augmented) labels, restricted to those that a policy lists. */
  readonly labels?: Readonly<Record<string, string>>;
}
