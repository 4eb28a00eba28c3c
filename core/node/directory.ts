import type { Locality } from "./facts.ts";

/** What the directory knows of one workload: a Pod, a WorkloadEntry, or an endpoint address that neither backs. */
export interface DirectoryEntry {
  readonly kind: "pod" | "workload-entry" | "address";
  readonly cluster: string;
  readonly namespace: string;
  /** Pod or WorkloadEntry name; the address itself for `address`. */
  readonly name: string;
  readonly addresses: readonly string[];
  /** As the object has them. */
  readonly labels: Readonly<Record<string, string>>;
  readonly serviceAccount: string;
  readonly network: string;
  readonly locality: Locality;
  /** Kubernetes node, "" if none. */
  readonly nodeName: string;
  readonly workloadName: string;
  readonly containerPorts: readonly { readonly name: string; readonly containerPort: number; readonly protocol: string }[];
  /** `address` only: keys (`namespace/host`) of the services whose endpoints have it. */
  readonly services: readonly string[];
}

/** Finds a node's entry: by cluster and `name.namespace`, or by cluster and address. */
export interface Directory {
  /** All that it holds. The same array, and the same entries in it, as long as they are unchanged. */
  readonly entries: readonly DirectoryEntry[];
  byName(cluster: string, name: string, namespace: string): DirectoryEntry | undefined;
  byAddress(cluster: string, address: string): DirectoryEntry | undefined;
}
