import { memoize } from "#core/lib/memo.ts";
import { lookUp, visit } from "#core/lib/trie.ts";
import type { Directory, DirectoryEntry } from "#core/node/directory.ts";
import type { Documents } from "./document.ts";
import { type DocumentForm, documentList } from "./document-list.ts";

/** A directory as an edition stores it: Pods by name, what is registered at an address by that. */
export function directoryTree(directory: Directory, previous?: Documents<DirectoryEntry>): Documents<DirectoryEntry> {
  return documentList(FORM, directory.entries, previous);
}

const FORM: DocumentForm<DirectoryEntry> = {
  nameOf: ({ kind, cluster, namespace, name }) => (kind === "pod" ? podKey(cluster, name, namespace) : addressKey(cluster, name)),
};

/** The directory that an edition stores; entries are read when a node asks for one. */
export function storedDirectory(tree: Documents<DirectoryEntry>): Directory {
  return {
    get entries() {
      return allEntries(tree);
    },
    byName: (cluster, name, namespace) => lookUp(tree, podKey(cluster, name, namespace))?.value,
    byAddress: (cluster, address) => lookUp(tree, addressKey(cluster, address))?.value,
  };
}

function podKey(cluster: string, name: string, namespace: string): string {
  return `name/${cluster}/${namespace}/${name}`;
}

function addressKey(cluster: string, address: string): string {
  return `address/${cluster}/${address}`;
}

const allEntries = memoize((tree: Documents<DirectoryEntry>): readonly DirectoryEntry[] => {
  const found: DirectoryEntry[] = [];
  visit(tree, (_, { value }) => value !== undefined && found.push(value));
  return found;
});
