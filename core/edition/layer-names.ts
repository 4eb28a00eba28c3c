import { compareText } from "#core/lib/compare.ts";
import { emptyTrie } from "#core/lib/trie.ts";
import { diffTries } from "#core/lib/trie-diff.ts";
import { ABSENT } from "./entry.ts";
import type { ResourceType } from "./resource.ts";
import type { Tree } from "./tree.ts";
import type { Entry } from "./view.ts";

/** Names that a layer has of one type, sorted: those that it gives, and those that it hides. */
export interface TypeNames {
  readonly given: readonly string[];
  readonly hidden: readonly string[];
}

export type LayerNames = ReadonlyMap<ResourceType, TypeNames>;

const NO_NAMES: LayerNames = new Map();
const NONE: TypeNames = { given: [], hidden: [] };

/**
 * Remembers the names in a layer's tree, and finds those of the tree that comes in its place from what differs. Lists of a type whose names stay are the same
 * objects.
 */
export class LayerNameCache {
  #tree: Tree<Entry> = emptyTrie();
  #names: LayerNames = NO_NAMES;

  of(tree: Tree<Entry>): LayerNames {
    if (tree === this.#tree) return this.#names;
    this.#names = nextNames(this.#names, this.#tree, tree);
    this.#tree = tree;
    return this.#names;
  }
}

/** The names of one type; none where the layers hold nothing of it. */
export function namesOfType(names: LayerNames, type: ResourceType): TypeNames {
  return names.get(type) ?? NONE;
}

interface Moves {
  readonly given: Map<string, boolean>;
  readonly hidden: Map<string, boolean>;
}

function nextNames(names: LayerNames, before: Tree<Entry>, after: Tree<Entry>): LayerNames {
  const moves = new Map<ResourceType, Moves>();
  diffTries(before, after, (key, old, next) => {
    if (old !== undefined && next !== undefined && (old === ABSENT) === (next === ABSENT)) return;
    const slash = key.indexOf("/");
    const type = key.slice(0, slash) as ResourceType;
    const moved = moves.get(type) ?? { given: new Map(), hidden: new Map() };
    moves.set(type, moved);
    const name = key.slice(slash + 1);
    if (old !== undefined) (old === ABSENT ? moved.hidden : moved.given).set(name, false);
    if (next !== undefined) (next === ABSENT ? moved.hidden : moved.given).set(name, true);
  });
  if (moves.size === 0) return names;
  const result = new Map(names);
  for (const [type, { given, hidden }] of moves) {
    const known = namesOfType(names, type);
    result.set(type, { given: move(known.given, given), hidden: move(known.hidden, hidden) });
  }
  return result;
}

/** A sorted list with names taken out (false) and put in (true). */
function move(names: readonly string[], moves: ReadonlyMap<string, boolean>): readonly string[] {
  if (moves.size === 0) return names;
  const arrived = [...moves].filter(([, arrives]) => arrives).map(([name]) => name);
  const kept = names.filter((name) => !moves.has(name));
  return mergeSorted(kept, arrived.sort(compareText));
}

/** The union of two sorted lists. */
export function mergeSorted(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const merged: string[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    const order = compareText(a[left] as string, b[right] as string);
    merged.push((order <= 0 ? a[left] : b[right]) as string);
    if (order <= 0) left++;
    if (order >= 0) right++;
  }
  for (; left < a.length; left++) merged.push(a[left] as string);
  for (; right < b.length; right++) merged.push(b[right] as string);
  return merged;
}
