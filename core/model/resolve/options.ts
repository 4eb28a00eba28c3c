import type { Allocations } from "./services/auto-addresses.ts";

/** What an inventory is resolved with. Parsed files and allocations are compared by identity: keep one value as long as nothing in it changes. */
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
  /** Virtual addresses that were allocated to hosts of ServiceEntries (auto-addresses.ts); a status wins over them. */
  readonly allocations?: Allocations;
}
