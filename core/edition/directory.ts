import { movements } from "#core/lib/list-diff.ts";
import { memoize } from "#core/lib/memo.ts";
import { emptyTrie, lookUp, visit } from "#core/lib/trie.ts";
import type { Directory, DirectoryEntry } from "#core/node/directory.ts";
import { type Document, type Documents, makeDocument } from "./document.ts";
import { changeTree } from "./tree.ts";

/** A directory as an edition stores it: its entries by name and by address, whoever wins there. */
export function directoryTree(directory: Directory, previous?: Documents<DirectoryEntry>): Documents<DirectoryEntry> {
  const before = previous === undefined ? [] : entriesOf.get(previous);
  const { left, arrived } = movements(before ?? [], directory.entries);
  const changes = new Map<string, Document<DirectoryEntry> | undefined>();
  if (previous !== undefined && before === undefined) visit(previous, (key) => changes.set(key, undefined));
  for (const entry of [...left, ...arrived]) addChanges(directory, entry, changes);
  const tree = changeTree(previous ?? emptyTrie<Document<DirectoryEntry>>(), changes);
  if (tree.size > 0) entriesOf.set(tree, directory.entries);
  return tree;
}

/** The directory that an edition stores; entries are read when a node asks for one. */
export function storedDirectory(tree: Documents<DirectoryEntry>): Directory {
  return {
    get entries() {
      return allEntries(tree);
    },
    byName: (cluster, name, namespace) => lookUp(tree, nameKey(cluster, name, namespace))?.value,
    byAddress: (cluster, address) => lookUp(tree, addressKey(cluster, address))?.value,
  };
}

const entriesOf = new WeakMap<object, readonly DirectoryEntry[]>();

function addChanges(
  directory: Directory,
  { cluster, name, namespace, addresses }: DirectoryEntry,
  changes: Map<string, Document<DirectoryEntry> | undefined>,
): void {
  changes.set(nameKey(cluster, name, namespace), documentOf(directory.byName(cluster, name, namespace)));
  for (const address of addresses) changes.set(addressKey(cluster, address), documentOf(directory.byAddress(cluster, address)));
}

function documentOf(entry: DirectoryEntry | undefined): Document<DirectoryEntry> | undefined {
  if (entry === undefined) return undefined;
  const known = documents.get(entry) ?? makeDocument(entry);
  documents.set(entry, known);
  return known;
}

const documents = new WeakMap<DirectoryEntry, Document<DirectoryEntry>>();

function nameKey(cluster: string, name: string, namespace: string): string {
  return `name/${cluster}/${namespace}/${name}`;
}

function addressKey(cluster: string, address: string): string {
  return `address/${cluster}/${address}`;
}

const allEntries = memoize((tree: Documents<DirectoryEntry>): readonly DirectoryEntry[] => {
  const found = new Map<string, DirectoryEntry>();
  visit(tree, (_, document) => {
    if (document.value !== undefined) found.set(document.digest, document.value);
  });
  return [...found.values()];
});
