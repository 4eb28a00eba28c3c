import { ByteReader } from "#core/lib/byte-reader.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { DIGEST_BYTES, digestOf, readDigest, writeDigest } from "#core/lib/digest.ts";
import { type Branch, type Changes, change, contentOf, emptyTrie, type Leaf, lookUp, type TrieNode, trieOf, type Unread } from "#core/lib/trie.ts";
import type { Records } from "./records.ts";

/** What a tree holds by name: content that has a digest. */
export interface Named {
  readonly digest: string;
}

/** A Merkle map: equal content has one digest whatever its history, and a change rewrites one path. */
export type Tree<V extends Named> = TrieNode<V>;

/** Names a stored tree. */
export interface TreeRef {
  readonly digest: string;
  /** Entries in it. */
  readonly size: number;
}

/** How a stored tree comes back: where its nodes are, and what stands for an entry. */
export interface TreeReader<V extends Named> {
  readonly records: Records;
  /** `previous`: what the name held before, where that was found at once. */
  entry(name: string, digest: string, previous: V | undefined): V;
}

/** The digest of a tree, computed for nodes that have none yet. */
export function treeDigest<V extends Named>(tree: Tree<V>): string {
  if (tree.digest === "") tree.digest = digestOf(nodeBytes(tree));
  return tree.digest;
}

/** What stands for a tree where it is named: its digest and how much it holds. */
export function treeRef<V extends Named>(tree: Tree<V>): TreeRef {
  return { digest: treeDigest(tree), size: tree.size };
}

/** The tree with changes made (undefined removes). Entries of an unchanged digest keep their identity: the same tree if nothing changes. */
export function changeTree<V extends Named>(tree: Tree<V>, changes: Iterable<readonly [name: string, value: V | undefined]>): Tree<V> {
  if (tree.size === 0) return trieOf(changes instanceof Map ? (changes as Changes<V>) : new Map(changes));
  const real = new Map<string, V | undefined>();
  for (const [name, value] of changes) {
    if (lookUp(tree, name)?.digest === value?.digest) real.delete(name);
    else real.set(name, value);
  }
  return change(tree, real);
}

/** The stored form of a node: a leaf's names and digests, or for each child of a branch its size and digest. */
export function writeNode<V extends Named>(node: Tree<V>, writer: ByteWriter): void {
  const content = contentOf(node);
  if (content.kind === "leaf") writeLeaf(content, writer);
  else writeBranch(content, writer);
}

/** A tree that is read node by node when it is looked at. What `previous` has already read and still holds is taken from there. */
export function storedTree<V extends Named>(ref: TreeRef, reader: TreeReader<V>, previous?: Tree<V>): Tree<V> {
  if (ref.size === 0) return emptyTrie<V>();
  if (previous?.digest === ref.digest) return previous;
  const content = new StoredNode(ref.digest, reader, previous === undefined ? undefined : lastRead(previous));
  return { size: ref.size, digest: ref.digest, content };
}

const LEAF = 0;
const BRANCH = 1;

class StoredNode<V extends Named> implements Unread<V> {
  readonly kind = "unread";
  readonly #digest: string;
  readonly #reader: TreeReader<V>;
  /** The node in whose place this one came. */
  readonly basis: Tree<V> | undefined;

  constructor(digest: string, reader: TreeReader<V>, basis: Tree<V> | undefined) {
    this.#digest = digest;
    this.#reader = reader;
    this.basis = basis;
  }

  read(): Leaf<V> | Branch<V> {
    const bytes = new ByteReader(this.#reader.records.read(this.#digest));
    const basis = this.basis === undefined ? undefined : contentOf(this.basis);
    return bytes.byte() === LEAF
      ? readLeaf(bytes, this.#reader, basis?.kind === "leaf" ? basis : undefined)
      : readBranch(bytes, this.#reader, basis?.kind === "branch" ? basis : undefined);
  }
}

/** Skips nodes that nobody looked at, so that editions do not hold on to all that came before them. */
function lastRead<V extends Named>(node: Tree<V>): Tree<V> | undefined {
  return node.content instanceof StoredNode ? (node.content.basis as Tree<V> | undefined) : node;
}

const scratch = new ByteWriter();

function nodeBytes<V extends Named>(node: Tree<V>): Uint8Array {
  const content = contentOf(node);
  if (content.kind === "branch") for (const child of content.children) treeDigest(child);
  scratch.reset();
  writeNode(node, scratch);
  return scratch.view();
}

/** Names and digests each in a row, which compresses better than pairs. */
function writeLeaf<V extends Named>(leaf: Leaf<V>, writer: ByteWriter): void {
  writer.byte(LEAF);
  writer.varint(leaf.names.length);
  for (const name of leaf.names) writer.text(name);
  const { buffer, offset } = writer.claim(DIGEST_BYTES * leaf.values.length);
  for (let index = 0; index < leaf.values.length; index++) writeDigest((leaf.values[index] as V).digest, buffer, offset + DIGEST_BYTES * index);
}

function writeBranch<V extends Named>(branch: Branch<V>, writer: ByteWriter): void {
  writer.byte(BRANCH);
  writer.varint(branch.children.length);
  for (const child of branch.children) {
    writer.varint(child.size);
    if (child.size === 0) continue;
    const { buffer, offset } = writer.claim(DIGEST_BYTES);
    writeDigest(treeDigest(child), buffer, offset);
  }
}

function readLeaf<V extends Named>(bytes: ByteReader, reader: TreeReader<V>, basis: Leaf<V> | undefined): Leaf<V> {
  const names = Array.from({ length: bytes.varint() }, () => bytes.text());
  const known = new Map(basis?.names.map((name, index) => [name, basis.values[index] as V]));
  const values = names.map((name) => {
    const digest = readDigest(bytes.bytes(DIGEST_BYTES), 0);
    const held = known.get(name);
    return held?.digest === digest ? held : reader.entry(name, digest, held);
  });
  return { kind: "leaf", names, values };
}

function readBranch<V extends Named>(bytes: ByteReader, reader: TreeReader<V>, basis: Branch<V> | undefined): Branch<V> {
  const children = Array.from({ length: bytes.varint() }, (_, index) => {
    const size = bytes.varint();
    const digest = size === 0 ? "" : readDigest(bytes.bytes(DIGEST_BYTES), 0);
    return storedTree({ digest, size }, reader, basis?.children[index]);
  });
  return { kind: "branch", children };
}
