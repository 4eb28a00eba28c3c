import { ByteReader } from "#core/lib/byte-reader.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { DIGEST_BYTES, digestOf, readDigest, writeDigest } from "#core/lib/digest.ts";
import { movements } from "#core/lib/list-diff.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { type Changes, lookUp, mapTrie, trieOf, visit } from "#core/lib/trie.ts";
import { type Document, type Documents, makeDocument, StoredDocument } from "./document.ts";
import { ABSENT, StoredEntry } from "./entry.ts";
import type { Records } from "./records.ts";
import type { Resource, ResourceType } from "./resource.ts";
import { changeTree, type Named, storedTree, type Tree, type TreeRef, treeRef } from "./tree.ts";
import type { Entry } from "./view.ts";

/** Resources by `type/name`, laid over other layers for a node (DESIGN 4); named by its key, which is the digest of what it was made from. */
export interface Layer extends Named {
  /** By {@link entryKey}; {@link ABSENT} where lower layers' resource must not be served. */
  readonly resources: Tree<Entry>;
  /** For each resource the source objects that it was made from, and under {@link EXISTENCE} those that decide which there are; fronts never read it. */
  readonly from: Documents<readonly string[]>;
}

/** What a layer holds. Names must not repeat within a type. */
export interface LayerContents {
  readonly resources: readonly Resource[];
  /** Resources of lower layers that are hidden. */
  readonly absent?: readonly { readonly type: ResourceType; readonly name: string }[];
  /** Source objects that decide which names there are, beside those that resources name: a Sidecar that imports, a Gateway that selects. */
  readonly existence?: readonly ObjectKey[];
}

/** Where a layer's provenance says what decides which names there are. */
export const EXISTENCE = "existence";

/** Changes to a layer by {@link entryKey}; undefined removes. */
export type LayerChanges = ReadonlyMap<string, Resource | typeof ABSENT | undefined>;

/** A resource by its type and name: layers hold all types in one tree. */
export function entryKey(type: ResourceType, name: string): string {
  return `${type}/${name}`;
}

/** What a layer says of a name: a resource, {@link ABSENT}, or nothing. */
export function layerEntry(layer: Layer, type: ResourceType, name: string): Entry | undefined {
  return lookUp(layer.resources, entryKey(type, name));
}

/**
 * A layer of the given contents. With the layer that had its place before, only resources that are new by identity are looked at, and equal contents give
 * that very layer.
 */
export function makeLayer(contents: LayerContents, previous?: Layer): Layer {
  const changed = previous === undefined ? newLayer(contents) : changeLayer(previous, changesOf(previous, contents));
  const layer = withExistence(changed, contents.existence);
  contentsOf.set(layer, contents);
  return layer;
}

/** The layer with changes made; the same one if they change no digest. */
export function changeLayer(layer: Layer, changes: LayerChanges): Layer {
  const resources = changeTree(layer.resources, changes);
  const from = changeTree(layer.from, provenance(changes));
  return resources === layer.resources && from === layer.from ? layer : layerOf(resources, from);
}

function withExistence(layer: Layer, existence: readonly ObjectKey[] = []): Layer {
  const from = changeTree(layer.from, [[EXISTENCE, existence.length === 0 ? undefined : fromDocument(existence)]]);
  return from === layer.from ? layer : layerOf(layer.resources, from);
}

/** A layer of a loaded edition, read when it is looked at. */
export function storedLayer(digest: string, records: Records, previous?: Layer): Layer {
  if (previous?.digest === digest) return previous;
  const reader = new ByteReader(records.read(digest));
  const entry = (_: string, digest: string): Entry => (digest === ABSENT.digest ? ABSENT : new StoredEntry(digest, records));
  const document = (_: string, digest: string): Document<readonly string[]> => new StoredDocument(digest, records);
  const resources = storedTree(readRef(reader), { records, entry }, previous?.resources);
  const from = storedTree(readRef(reader), { records, entry: document }, previous?.from);
  return { digest, resources, from };
}

/** Writes the stored form: where its two trees are. */
export function writeLayer({ resources, from }: Pick<Layer, "resources" | "from">, writer: ByteWriter): void {
  for (const tree of [treeRef(resources), treeRef(from)]) {
    writer.varint(tree.size);
    const { buffer, offset } = writer.claim(DIGEST_BYTES);
    writeDigest(tree.digest, buffer, offset);
  }
}

/** What a layer was made of: no part of it, only a way to see at a glance what changes next. */
const contentsOf = new WeakMap<Layer, LayerContents>();

function newLayer({ resources, absent = [] }: LayerContents): Layer {
  const given = trieOf(new Map(resources.map((resource) => [entryKey(resource.type, resource.name), resource])));
  const hidden = new Map<string, Entry>(absent.map(({ type, name }) => [entryKey(type, name), ABSENT]));
  return layerOf(
    changeTree<Entry>(given, hidden),
    mapTrie(given, ({ from }) => fromDocument(from)),
  );
}

function layerOf(resources: Tree<Entry>, from: Layer["from"]): Layer {
  const writer = new ByteWriter(64);
  writeLayer({ resources, from }, writer);
  return { digest: digestOf(writer.view()), resources, from };
}

function readRef(reader: ByteReader): TreeRef {
  const size = reader.varint();
  return { size, digest: readDigest(reader.bytes(DIGEST_BYTES), 0) };
}

/** From what a layer was made of to new contents; for a layer of which that is not remembered, all names that are not given again go. */
function changesOf(layer: Layer, after: LayerContents): LayerChanges {
  const changes = new Map<string, Resource | typeof ABSENT | undefined>();
  const before = contentsOf.get(layer);
  if (before === undefined) visit(layer.resources, (key) => changes.set(key, undefined));
  const { left, arrived } = movements(before?.resources ?? [], after.resources);
  for (const resource of left) changes.set(entryKey(resource.type, resource.name), undefined);
  for (const { type, name } of before?.absent ?? []) changes.set(entryKey(type, name), undefined);
  for (const resource of arrived) changes.set(entryKey(resource.type, resource.name), resource);
  for (const { type, name } of after.absent ?? []) changes.set(entryKey(type, name), ABSENT);
  return changes;
}

function provenance(changes: LayerChanges): Changes<Document<readonly string[]>> {
  const documents = new Map<string, Document<readonly string[]> | undefined>();
  for (const [key, resource] of changes) documents.set(key, resource !== undefined && "from" in resource ? fromDocument(resource.from) : undefined);
  return documents;
}

/** Each object once: the same one may come from several states of the mesh. */
const fromDocument = memoize((from: readonly ObjectKey[]) => makeDocument<readonly string[]>([...new Set(from.map(formatObjectKey))]));
