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
  let last: { readonly reads: Reads; readonly items: T[] } | undefined;
  for (const item of items) {
    const read = reads(item);
    if (last?.reads !== read) {
      const key = readsKey(read);
      last = groups.get(key) ?? { reads: read, items: [] };
      groups.set(key, last);
    }
    last.items.push(item);
  }
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}
