import { compareText } from "#core/lib/compare.ts";
import type { Reads } from "#core/node/rules.ts";

/** Names a group of reads: equal reads have equal names. */
export function readsKey({ locality, nodeName, labels }: Reads): string {
  return `${locality ? "locality" : ""} ${nodeName ? "node" : ""} ${labels.join(",")}`;
}

/** Groups items by what they read of a client, each group in the given order; groups are in a stable order. */
export function groupByReads<T>(
  items: readonly T[],
  reads: (item: T) => Reads,
): ReadonlyMap<string, { readonly reads: Reads; readonly items: readonly T[] }> {
  const groups = new Map<string, { reads: Reads; items: T[] }>();
  for (const item of items) {
    const read = reads(item);
    const key = readsKey(read);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reads: read, items: [item] });
    else group.items.push(item);
  }
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}
