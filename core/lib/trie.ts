import { compareText } from "./compare.ts";
import { hashText } from "./hash-text.ts";

/**
 * A persistent map from text, of canonical shape: equal contents have equal shapes whatever their history, so that two maps compare, and are stored, node by
 * node. Names are placed by their hash, {@link LEVEL_BITS} bits a level; a subtree of at most {@link LEAF_ENTRIES} entries is one leaf, sorted by name.
 * A node is never changed, but an unread one fills itself in when it is first looked at.
 */
export interface TrieNode<V> {
  readonly size: number;
  /** Place for a name of the content, "" until somebody computes it: equal digests mean equal nodes. */
  digest: string;
  content: Leaf<V> | Branch<V> | Unread<V>;
}

export interface Leaf<V> {
  readonly kind: "leaf";
  /** Sorted. */
  readonly names: readonly string[];
  readonly values: readonly V[];
}

export interface Branch<V> {
  readonly kind: "branch";
  /** As many as there are values of {@link LEVEL_BITS} bits. */
  readonly children: readonly TrieNode<V>[];
}

/** Content that is somewhere else until needed. */
export interface Unread<V> {
  readonly kind: "unread";
  read(): Leaf<V> | Branch<V>;
}

/** Changes by name; undefined removes. */
export type Changes<V> = ReadonlyMap<string, V | undefined>;

export const LEVEL_BITS = 2;
export const LEAF_ENTRIES = 32;
const FANOUT = 1 << LEVEL_BITS;
const MAX_DEPTH = Math.floor(32 / LEVEL_BITS);

/** The leaf without entries. */
export function emptyTrie<V>(): TrieNode<V> {
  return EMPTY as TrieNode<V>;
}
const EMPTY: TrieNode<unknown> = { size: 0, digest: "", content: { kind: "leaf", names: [], values: [] } };

/** A node's content, read if it was not yet. */
export function contentOf<V>(node: TrieNode<V>): Leaf<V> | Branch<V> {
  if (node.content.kind === "unread") node.content = node.content.read();
  return node.content;
}

export function lookUp<V>(root: TrieNode<V>, name: string): V | undefined {
  const hash = hashText(name);
  let content = contentOf(root);
  for (let depth = 0; content.kind === "branch"; depth++) content = contentOf(content.children[slot(hash, depth)] as TrieNode<V>);
  const index = find(content.names, name);
  return index < 0 ? undefined : content.values[index];
}

/** The map with changes made; the same node if they change nothing (values are compared by identity). */
export function change<V>(root: TrieNode<V>, changes: Changes<V>): TrieNode<V> {
  if (changes.size === 0) return root;
  const edits: Edit<V>[] = [];
  for (const [name, value] of changes) edits.push({ name, value, hash: hashText(name) });
  return changeNode(root, edits, 0);
}

/** The map of these entries; undefined stands for none. */
export function trieOf<V>(entries: Changes<V>): TrieNode<V> {
  const edits: Edit<V>[] = [];
  for (const [name, value] of entries) if (value !== undefined) edits.push({ name, value, hash: hashText(name) });
  return build(edits, 0);
}

/** The map of entries that are only made when somebody looks: for indexes that few need. */
export function lazyTrie<V>(entries: () => Changes<V>): TrieNode<V> {
  let made: TrieNode<V> | undefined;
  const root = (): TrieNode<V> => {
    made ??= trieOf(entries());
    return made;
  };
  return {
    get size() {
      return root().size;
    },
    digest: "",
    content: { kind: "unread", read: () => contentOf(root()) as Leaf<V> | Branch<V> },
  };
}

/** Has nobody looked at it yet? */
export function isUnread<V>(root: TrieNode<V>): boolean {
  return root.content.kind === "unread";
}

/** The map with each value replaced: names and shape stay. */
export function mapTrie<V, W>(node: TrieNode<V>, each: (value: V) => W): TrieNode<W> {
  if (node.size === 0) return emptyTrie<W>();
  const content = contentOf(node);
  if (content.kind === "leaf") return leafNode(content.names, content.values.map(each));
  const children = content.children.map((child) => mapTrie(child, each));
  return { size: node.size, digest: "", content: { kind: "branch", children } };
}

/** Visits all entries in stored order, which is not that of names. */
export function visit<V>(node: TrieNode<V>, each: (name: string, value: V) => void): void {
  const content = contentOf(node);
  if (content.kind === "branch") for (const child of content.children) visit(child, each);
  else for (let index = 0; index < content.names.length; index++) each(content.names[index] as string, content.values[index] as V);
}

interface Edit<V> {
  readonly name: string;
  readonly value: V | undefined;
  readonly hash: number;
}

function changeNode<V>(node: TrieNode<V>, edits: readonly Edit<V>[], depth: number): TrieNode<V> {
  if (edits.length === 0) return node;
  const content = contentOf(node);
  return content.kind === "leaf" ? changeLeaf(node, content, edits, depth) : changeBranch(node, content, edits, depth);
}

function changeLeaf<V>(node: TrieNode<V>, leaf: Leaf<V>, edits: readonly Edit<V>[], depth: number): TrieNode<V> {
  const values: (V | undefined)[] = leaf.values.slice();
  const added: Edit<V>[] = [];
  let replaced = 0;
  let removed = 0;
  for (const edit of edits) {
    const index = find(leaf.names, edit.name);
    if (index < 0 && edit.value !== undefined) added.push(edit);
    if (index < 0 || edit.value === values[index]) continue;
    values[index] = edit.value;
    if (edit.value === undefined) removed++;
    else replaced++;
  }
  if (added.length > 0 || removed > 0) return build([...added, ...remaining(leaf.names, values, added.length - removed)], depth);
  return replaced > 0 ? leafNode(leaf.names, values as V[]) : node;
}

/** The entries of a leaf that are left, as edits for one that has `more` entries: hashed if that one is too large to stay a leaf. */
function remaining<V>(names: readonly string[], values: readonly (V | undefined)[], more: number): Edit<V>[] {
  const splits = names.length + more > LEAF_ENTRIES;
  const edits: Edit<V>[] = [];
  for (const [index, value] of values.entries()) {
    const name = names[index] as string;
    if (value !== undefined) edits.push({ name, value, hash: splits ? hashText(name) : 0 });
  }
  return edits;
}

function changeBranch<V>(node: TrieNode<V>, branch: Branch<V>, edits: readonly Edit<V>[], depth: number): TrieNode<V> {
  if (edits.length === 1) return changeChild(node, branch, edits, depth);
  const parts = partition(edits, depth);
  const children = branch.children.slice();
  let changed = false;
  for (let index = 0; index < FANOUT; index++) {
    const child = children[index] as TrieNode<V>;
    const next = changeNode(child, parts[index] as Edit<V>[], depth + 1);
    changed ||= next !== child;
    children[index] = next;
  }
  return changed ? join(children) : node;
}

/** As {@link changeBranch}, where all edits are in one child. */
function changeChild<V>(node: TrieNode<V>, branch: Branch<V>, edits: readonly Edit<V>[], depth: number): TrieNode<V> {
  const index = slot((edits[0] as Edit<V>).hash, depth);
  const child = branch.children[index] as TrieNode<V>;
  const next = changeNode(child, edits, depth + 1);
  if (next === child) return node;
  const children = branch.children.slice();
  children[index] = next;
  return join(children);
}

/** A branch, or the leaf that holds as few entries. */
function join<V>(children: readonly TrieNode<V>[]): TrieNode<V> {
  let size = 0;
  for (const child of children) size += child.size;
  const node: TrieNode<V> = { size, digest: "", content: { kind: "branch", children } };
  if (size > LEAF_ENTRIES) return node;
  const entries: Edit<V>[] = [];
  visit(node, (name, value) => entries.push({ name, value, hash: 0 }));
  return makeLeaf(entries);
}

function build<V>(entries: Edit<V>[], depth: number): TrieNode<V> {
  if (entries.length <= LEAF_ENTRIES || depth === MAX_DEPTH) return makeLeaf(entries);
  const children = partition(entries, depth).map((part) => build(part, depth + 1));
  return { size: entries.length, digest: "", content: { kind: "branch", children } };
}

function makeLeaf<V>(entries: Edit<V>[]): TrieNode<V> {
  if (entries.length === 0) return emptyTrie<V>();
  entries.sort(byName);
  return leafNode(
    entries.map((entry) => entry.name),
    entries.map((entry) => entry.value as V),
  );
}

function byName<V>(a: Edit<V>, b: Edit<V>): number {
  return compareText(a.name, b.name);
}

function leafNode<V>(names: readonly string[], values: readonly V[]): TrieNode<V> {
  return { size: names.length, digest: "", content: { kind: "leaf", names, values } };
}

function partition<V>(entries: readonly Edit<V>[], depth: number): Edit<V>[][] {
  const parts: Edit<V>[][] = Array.from({ length: FANOUT }, () => []);
  for (const entry of entries) (parts[slot(entry.hash, depth)] as Edit<V>[]).push(entry);
  return parts;
}

function slot(hash: number, depth: number): number {
  return (hash >>> (depth * LEVEL_BITS)) & (FANOUT - 1);
}

/** Index of a name in a sorted list, or -1. */
function find(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const candidate = names[middle] as string;
    if (candidate === name) return middle;
    if (candidate < name) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
