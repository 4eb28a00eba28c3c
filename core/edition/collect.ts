import { contentOf, type TrieNode, visit } from "#core/lib/trie.ts";
import type { Document, Documents } from "./document.ts";
import type { Edition } from "./edition.ts";
import { writeEdition } from "./edition-record.ts";
import { ABSENT, entryPieces, writeEntry } from "./entry.ts";
import { type Layer, writeLayer } from "./layer.ts";
import type { PackContents } from "./pack.ts";
import { RecordList } from "./record-list.ts";
import { type Named, type Tree, treeDigest, writeNode } from "./tree.ts";
import type { Entry } from "./view.ts";

/**
 * What an edition has and `base` has not: its record, nodes on changed paths, and what these name. Subtrees with equal digests are not looked at, so the cost
 * follows the difference. Without a base: everything.
 */
export function collectEdition(edition: Edition, base: Edition | undefined): PackContents {
  const served = new RecordList();
  const kept = new RecordList();
  served.add(edition.id, (writer) => writeEdition(edition, writer));
  collectTree(edition.layers, base?.layers, served, (layer, before) => collectLayer(layer, before, served, kept));
  collectDocuments(edition.rules, base?.rules, served);
  collectDocuments(edition.directory, base?.directory, served);
  collectDocuments(edition.census, base?.census, kept);
  collectDocuments(edition.diagnostics, base?.diagnostics, kept);
  collectDocuments(edition.inventory, base?.inventory, kept);
  return { served, kept };
}

function collectLayer(layer: Layer, before: Layer | undefined, served: RecordList, kept: RecordList): void {
  served.add(layer.digest, (writer) => writeLayer(layer, writer));
  collectTree(layer.resources, before?.resources, served, (entry, known) => {
    if (entry === ABSENT) return;
    served.add(entry.digest, (writer) => writeEntry(entry, writer));
    collectPieces(entry, known, served);
  });
  collectDocuments(layer.from, before?.from, kept);
}

function collectPieces(entry: Entry, before: Entry | undefined, into: RecordList): void {
  const pieces = entryPieces(entry);
  if (pieces.length === 0) return;
  const known = new Set(before && entryPieces(before).map(({ digest }) => digest));
  for (const piece of pieces) if (!known.has(piece.digest)) into.add(piece.digest, (writer) => piece.write(writer));
}

function collectDocuments(tree: Documents<unknown>, base: Documents<unknown> | undefined, into: RecordList): void {
  collectTree<Document>(tree, base, into, (document) => into.add(document.digest, (writer) => document.write(writer)));
}

/** Visits the nodes that differ, and tells of the entries in them that do. */
function collectTree<V extends Named>(
  tree: Tree<V>,
  base: Tree<V> | undefined,
  into: RecordList,
  each: (entry: V, before: V | undefined) => void,
): void {
  const digest = treeDigest(tree);
  if (tree.size === 0 || (base !== undefined && treeDigest(base) === digest)) return;
  into.add(digest, (writer) => writeNode(tree, writer));
  const content = contentOf(tree);
  if (content.kind === "branch") {
    for (const [index, child] of content.children.entries()) collectTree(child, counterpart(base, index), into, each);
    return;
  }
  const known = entriesOf(base);
  for (const [index, entry] of content.values.entries()) {
    const before = known.get(content.names[index] as string);
    if (before?.digest !== entry.digest) each(entry, before);
  }
}

/** Where a child's entries are in the base: the child in the same place, or the one leaf that has them all. */
function counterpart<V extends Named>(base: TrieNode<V> | undefined, index: number): TrieNode<V> | undefined {
  if (base === undefined) return undefined;
  const content = contentOf(base);
  return content.kind === "branch" ? content.children[index] : base;
}

function entriesOf<V extends Named>(base: TrieNode<V> | undefined): ReadonlyMap<string, V> {
  const entries = new Map<string, V>();
  if (base !== undefined) visit(base, (name, value) => entries.set(name, value));
  return entries;
}
