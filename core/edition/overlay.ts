import { digestOf } from "#core/lib/digest.ts";
import { memoize } from "#core/lib/memo.ts";
import { lookUp } from "#core/lib/trie.ts";
import { ABSENT, StoredEntry } from "./entry.ts";
import { entryKey } from "./layer.ts";
import { type LayerNames, mergeSorted, namesOfType, type TypeNames } from "./layer-names.ts";
import type { ResourceType } from "./resource.ts";
import { type Tree, treeDigest } from "./tree.ts";
import type { Entry, View } from "./view.ts";

/** One layer as a view needs it; `names` is asked only when names are listed. */
export interface OverlaidLayer {
  readonly resources: Tree<Entry>;
  readonly names: () => LayerNames;
}

/** Layers laid over each other: a later one wins, name by name, and what it hides is not there. */
export function overlay(generation: number, layers: readonly OverlaidLayer[]): View {
  const id = digestOf(layers.map((layer) => treeDigest(layer.resources)).join("\n"));
  const known = new Map<ResourceType, readonly string[]>();
  const get = (type: ResourceType, name: string): Entry | undefined => {
    const key = entryKey(type, name);
    for (let index = layers.length - 1; index >= 0; index--) {
      const entry = lookUp((layers[index] as OverlaidLayer).resources, key);
      if (entry !== undefined) return isServed(type, entry) ? entry : undefined;
    }
    return undefined;
  };
  const names = (type: ResourceType): readonly string[] => {
    const found = known.get(type) ?? namesServed(type, layers, get);
    known.set(type, found);
    return found;
  };
  return { generation, id, names, get };
}

/** Sealed content without its key is as if it was not there. */
function isServed(type: ResourceType, entry: Entry): boolean {
  return entry !== ABSENT && !(type === "secrets" && entry instanceof StoredEntry && !entry.isReadable);
}

function namesServed(type: ResourceType, layers: readonly OverlaidLayer[], get: View["get"]): readonly string[] {
  const lists = layers.map((layer) => namesOfType(layer.names(), type)).filter(({ given, hidden }) => given.length > 0 || hidden.length > 0);
  const names = mergeLists(...lists);
  return type === "secrets" ? names.filter((name) => get(type, name) !== undefined) : names;
}

/** Remembered, so that the list of names is the same object in each edition that changes none of them. */
const mergeLists = memoize((...lists: readonly TypeNames[]): readonly string[] => {
  let names: readonly string[] = [];
  for (const { given, hidden } of lists) {
    const gone = new Set(hidden);
    names = mergeSorted(gone.size === 0 ? names : names.filter((name) => !gone.has(name)), given);
  }
  return names;
});
