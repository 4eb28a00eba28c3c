import type { View } from "#core/edition/view.ts";

/** Why a client refused an answer (google.rpc.Status). */
export interface Rejection {
  readonly code: number;
  readonly message: string;
}

/** A `DiscoveryRequest`, without the node, which placement has read. */
export interface SotwRequest {
  readonly url: string;
  readonly version: string;
  readonly nonce: string;
  readonly names: readonly string[];
  readonly error?: Rejection;
}

/** A `DeltaDiscoveryRequest`, without the node. */
export interface DeltaRequest {
  readonly url: string;
  readonly nonce: string;
  readonly subscribe: readonly string[];
  readonly unsubscribe: readonly string[];
  /** `initial_resource_versions`. */
  readonly held: Readonly<Record<string, string>>;
  readonly error?: Rejection;
}

/** What a stream meets. `now` is in milliseconds of any clock that never goes back. */
export type Input =
  | { readonly kind: "request"; readonly now: number; readonly request: SotwRequest }
  | { readonly kind: "delta-request"; readonly now: number; readonly request: DeltaRequest }
  /** The node is served another edition, or its first. */
  | {
      readonly kind: "edition";
      readonly now: number;
      readonly view: View;
      /** What the node was served from editions before, newest first; for clients that come from another stream. */
      readonly recent?: readonly View[];
    }
  /** The bytes of the last answer have left. */
  | { readonly kind: "written"; readonly now: number }
  /** A moment asked for by `wake` has come. */
  | { readonly kind: "tick"; readonly now: number }
  | { readonly kind: "closed"; readonly now: number };
