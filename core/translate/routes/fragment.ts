import type { ObjectKey } from "#core/lib/object-key.ts";

/** The encoded routes of one virtual host, in order, with what they name and what they were made of. */
export interface RoutesFragment {
  /** Each as a field of the virtual host around it. */
  readonly bytes: Uint8Array;
  readonly clusters: readonly string[];
  readonly from: readonly ObjectKey[];
}
