import { change, lookUp, type TrieNode, trieOf } from "#core/lib/trie.ts";
import { diffLayers } from "./diff.ts";
import type { Edition } from "./edition.ts";
import { ABSENT, StoredEntry } from "./entry.ts";
import type { Resource } from "./resource.ts";
import type { Entry } from "./view.ts";

/** Resources of an edition that were made in this process, by digest; each as often as layers have it. */
export type FreshIndex = TrieNode<Fresh>;

interface Fresh {
  readonly resource: Resource;
  readonly count: number;
}

/** The index of an edition; over that of an earlier one the cost follows the difference. */
export function freshIndex(edition: Edition, base?: { readonly edition: Edition; readonly index: FreshIndex }): FreshIndex {
  const counts = new Map<string, Fresh | undefined>();
  const add = (entry: Entry | undefined, count: number): void => {
    if (entry === undefined || entry === ABSENT || entry instanceof StoredEntry) return;
    const known = counts.has(entry.digest) ? counts.get(entry.digest) : base && lookUp(base.index, entry.digest);
    const total = (known?.count ?? 0) + count;
    counts.set(entry.digest, total > 0 ? { resource: known?.resource ?? (entry as Resource), count: total } : undefined);
  };
  for (const layer of diffLayers(base?.edition, edition)) {
    for (const { before, after } of layer.resources) {
      add(after, 1);
      add(before, -1);
    }
  }
  return base === undefined ? trieOf(counts as ReadonlyMap<string, Fresh>) : change(base.index, counts);
}
