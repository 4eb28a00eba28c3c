import { emptyTrie } from "#core/lib/trie.ts";
import { diffTries } from "#core/lib/trie-diff.ts";
import type { Edition } from "./edition.ts";
import type { Layer } from "./layer.ts";
import { type Named, type Tree, treeDigest } from "./tree.ts";
import type { Entry } from "./view.ts";

/** One name whose content differs; undefined stands for none. */
export interface Change<V> {
  readonly name: string;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/** What differs between two trees; the cost follows the difference. */
export function diffTrees<V extends Named>(before: Tree<V>, after: Tree<V>): readonly Change<V>[] {
  const changes: Change<V>[] = [];
  if (treeDigest(before) === treeDigest(after)) return changes;
  diffTries(before, after, (name, old, next) => {
    if (old?.digest !== next?.digest) changes.push({ name, before: old, after: next });
  });
  return changes;
}

/** A layer that differs between two editions, with the resources in it that do, by `type/name`. */
export interface LayerChange extends Change<Layer> {
  readonly resources: readonly Change<Entry>[];
}

/** Compares two editions layer by layer and resource by resource; without `before` all of `after` is new. */
export function diffLayers(before: Edition | undefined, after: Edition): readonly LayerChange[] {
  return diffTrees<Layer>(before?.layers ?? emptyTrie<Layer>(), after.layers).map((change) => ({
    ...change,
    resources: diffTrees<Entry>(change.before?.resources ?? emptyTrie<Entry>(), change.after?.resources ?? emptyTrie<Entry>()),
  }));
}
