import type { ObjectKey } from "#core/lib/object-key.ts";

/** The xDS types that Almanac serves, in the order in which a stream is answered (xDS spec, "Eventual consistency considerations"). */
export type ResourceType = "clusters" | "endpoints" | "listeners" | "routes" | "secrets" | "extensions" | "names";

/** Names of other resources that a resource makes a proxy ask for or use. */
export interface Needs {
  readonly clusters: readonly string[];
  readonly endpoints: readonly string[];
  readonly routes: readonly string[];
  readonly secrets: readonly string[];
  readonly extensions: readonly string[];
}

/** One xDS resource in its final form. */
export interface Resource {
  readonly type: ResourceType;
  readonly name: string;
  /** A complete `google.protobuf.Any`, ready for the wire. */
  readonly bytes: Uint8Array;
  /** Of `bytes`, `needs` included: equal digests mean equal resources. */
  readonly digest: string;
  readonly needs: Needs;
  /** The source objects read, losers of allocation included; outside the digest. */
  readonly from: readonly ObjectKey[];
}
