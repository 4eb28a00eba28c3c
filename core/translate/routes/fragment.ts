import type { RouteFragment } from "#core/envoy/route.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";

/** The encoded routes of one virtual host, in order, with what they name and what they were made of. */
export interface RoutesFragment {
  readonly routes: readonly RouteFragment[];
  /** The last one takes every request. */
  readonly catchesAll: boolean;
  readonly clusters: readonly string[];
  readonly from: readonly ObjectKey[];
}
