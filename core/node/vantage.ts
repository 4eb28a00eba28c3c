import type { Locality } from "./locality.ts";

/**
 * From where a node looks at endpoints. Cluster, network, address families and what the node can't or won't use are always given; the rest is present only
 * in layers whose names read it, so that a value of this type is exactly the key of what is made from it.
 */
export interface Vantage {
  readonly cluster: string;
  readonly network: string;
  /** Address families of the node: gateways of another network must be reachable. */
  readonly families: "v4" | "v6" | "dual";
  /** `REQUESTED_NETWORK_VIEW`; absent: all networks are wanted. */
  readonly networkView?: readonly string[];
  /** Absent: workloads that take HBONE alone are reached through tunnels. */
  readonly avoidsTunnels?: true;
  readonly locality?: Locality;
  readonly nodeName?: string;
  /** The node's (augmented) labels, restricted to those that a policy lists. */
  readonly labels?: Readonly<Record<string, string>>;
}
