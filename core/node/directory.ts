import type { Locality } from "./locality.ts";

/** What the directory knows: a Pod, found by its name, or what is registered at an address, found by that. No two have one. */
export type DirectoryEntry = PodEntry | AddressEntry;

export interface PodEntry {
  readonly kind: "pod";
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  /** None: Pods are found by name, as in Istio. */
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
  /** Only for a Pod that no Service selects: ports whose EndpointSlices list its address. */
  readonly sliceTargets: readonly AddressTarget[];
}

/** WorkloadEntries and endpoints of ServiceEntries that have one address, as nodes of one cluster see them. */
export interface AddressEntry {
  readonly kind: "address";
  readonly cluster: string;
  /** "": several namespaces may claim an address. */
  readonly namespace: string;
  /** The address itself. */
  readonly name: string;
  readonly addresses: readonly string[];
  /** By namespace and name. */
  readonly workloadEntries: readonly { readonly namespace: string; readonly name: string; readonly serviceAccount: string }[];
  /** What ServiceEntries say of it, by namespace; the service that comes first gives the labels. Nodes of other clusters than theirs take no labels. */
  readonly claims: readonly {
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly targets: readonly AddressTarget[];
  }[];
}

/** A service port that an address serves. */
export interface AddressTarget {
  /** Whether slices or a ServiceEntry say so: a host may have services of both. */
  readonly registry: "Kubernetes" | "External";
  /** `namespace/host`. */
  readonly service: string;
  /** Name of the ServiceEntry that says so: several of a namespace may have the host, each with an age and ports of its own. */
  readonly entry?: string;
  readonly port: number;
  readonly targetPort: number;
}

/** Finds what is known of a node: its Pod by cluster and `name.namespace`, and what is registered at its addresses. */
export interface Directory {
  /** All that it holds. The same array, and the same entries in it, as long as they are unchanged. */
  readonly entries: readonly DirectoryEntry[];
  byName(cluster: string, name: string, namespace: string): DirectoryEntry | undefined;
  byAddress(cluster: string, address: string): DirectoryEntry | undefined;
}
