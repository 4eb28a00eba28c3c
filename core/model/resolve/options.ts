/** What an inventory is resolved with. Compared by identity: keep one value as long as nothing in it changes. */
export interface ResolveOptions {
  /** `mesh.yaml`, parsed; absent for Istio's defaults. */
  readonly meshConfig?: unknown;
  /** The mesh networks file, parsed. */
  readonly networks?: unknown;
  readonly domainSuffix: string;
  /** Cluster whose Istio objects count. */
  readonly configCluster: string;
  /** Istio objects labelled `istio.io/rev` with another revision are passed over; absent or "" takes all. */
  readonly revision?: string;
}
