import type { Labels } from "#core/lib/labels.ts";
import type { AddressTarget } from "#core/node/directory.ts";
import type { Sidecar } from "../../sidecar.ts";

/** What is known of the nodes of one workload layer, in the terms of placement. */
export interface WorkloadClient {
  readonly namespace: string;
  /** "" where the node names none: then every cluster is searched. */
  readonly cluster: string;
  /** Labels that Services select by, or as many of them as match the same Services. */
  readonly serviceLabels: Labels;
  /** Likewise for policies. */
  readonly policyLabels: Labels;
  readonly containerPorts: readonly { readonly name: string; readonly containerPort: number; readonly protocol: string }[];
  readonly registered: "pod" | "workload-entry" | "none";
  /** `namespace/name`, where `registered` says so. */
  readonly workloadEntry?: string;
  /** Found by address. */
  readonly targets: readonly AddressTarget[];
  readonly sidecar?: Sidecar;
}
