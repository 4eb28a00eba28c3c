import { ByteWriter } from "#core/lib/byte-writer.ts";
import { contentOf, type TrieNode, visit } from "#core/lib/trie.ts";
import type { Document, Documents } from "./document.ts";
import type { Edition } from "./edition.ts";
import { editionRecord } from "./edition-record.ts";
import { entryRecord } from "./entry.ts";
import { type Layer, layerRecord } from "./layer.ts";
import type { PackContents, PackRecord } from "./pack.ts";
import { type Named, type Tree, treeDigest, writeNode } from "./tree.ts";

/**
 * What an edition has and `base` has not: its record, nodes on changed paths, and what these name. Subtrees with equal digests are not looked at, so the cost
 * follows the difference. Without a base: everything.
 */
export function collectEdition(edition: Edition, base: Edition | undefined): PackContents {
  const served = new Collector();
  const kept = new Collector();
  served.add(edition.id, () => editionRecord(edition));
  collectTree(edition.layers, base?.layers, served, (layer, before) => collectLayer(layer, before, served, kept));
  collectDocuments(edition.rules, base?.rules, served);
  collectDocuments(edition.directory, base?.directory, served);
  collectDocuments(edition.census, base?.census, kept);
  collectDocuments(edition.inventory, base?.inventory, kept);
  return { served: served.records, kept: kept.records };
}

/** Gathers records, each digest once. */
class Collector {
  readonly records: PackRecord[] = [];
  readonly #known = new Set<string>();

  add(digest: string, bytes: () => Uint8Array | undefined): void {
    if (this.#known.has(digest)) return;
    this.#known.add(digest);
    const record = bytes();
    if (record !== undefined) this.records.push({ digest, bytes: record });
  }
}

function collectLayer(layer: Layer, before: Layer | undefined, served: Collector, kept: Collector): void {
  served.add(layer.digest, () => layerRecord(layer));
  collectTree(layer.resources, before?.resources, served, (entry) => served.add(entry.digest, () => entryRecord(entry)));
  collectDocuments(layer.from, before?.from, kept);
}

function collectDocuments(tree: Documents<unknown>, base: Documents<unknown> | undefined, into: Collector): void {
  collectTree<Document>(tree, base, into, (document) => into.add(document.digest, () => document.record()));
}

/** Visits the nodes that differ, and tells of the entries in them that do. */
function collectTree<V extends Named>(
  tree: Tree<V>,
  base: Tree<V> | undefined,
  into: Collector,
  each: (entry: V, before: V | undefined) => void,
): void {
  const digest = treeDigest(tree);
  if (tree.size === 0 || (base !== undefined && treeDigest(base) === digest)) return;
  into.add(digest, () => nodeRecord(tree));
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

function nodeRecord<V extends Named>(node: Tree<V>): Uint8Array {
  const writer = new ByteWriter(1024);
  writeNode(node, writer);
  return writer.view();
}
