import { compareText } from "#core/lib/compare.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { placeIn } from "#core/lib/place-in.ts";
import type { Kind } from "./kinds.ts";
import type { SourceObject } from "./object.ts";

/** The objects of one kind, sorted by {@link compareKeys}. */
export type Shelf<K extends Kind = Kind> = readonly SourceObject<K>[];

/** Orders the objects of one kind: by cluster, the config cluster first, then by namespace and name. */
export function compareKeys(configCluster: string): (a: ObjectKey, b: ObjectKey) => number {
  const rank = (cluster: string): number => (cluster === configCluster ? 0 : 1);
  return (a, b) =>
    (a.cluster === b.cluster ? 0 : rank(a.cluster) - rank(b.cluster) || compareText(a.cluster, b.cluster)) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name);
}

/** Where an object is, or would have to be put. */
export function place(shelf: Shelf, key: ObjectKey, configCluster: string): { readonly index: number; readonly found: boolean } {
  const order = compareKeys(configCluster);
  return placeIn(shelf, (object) => order(object.key, key));
}
