import { movements } from "#core/lib/list-diff.ts";
import { emptyTrie, visit } from "#core/lib/trie.ts";
import { type Document, type Documents, knownDocument, makeDocument, sealDocument } from "./document.ts";
import type { Sealer } from "./sealer.ts";
import { changeTree } from "./tree.ts";

/** How values become documents by name. */
export interface DocumentForm<T> {
  nameOf(value: T): string;
  /** What is stored of a value, where that is less than all of it. */
  readonly formOf?: (value: T) => unknown;
  /** The digest of the canonical text of what is stored, where somebody remembers it. */
  digestOf?(value: T): string | undefined;
  /** Which values are stored sealed; without a sealer these are not stored at all. */
  isSecret?(value: T): boolean;
  readonly sealer?: Sealer | undefined;
}

/**
 * A tree of one document for each value; names must not repeat. With the tree that had its place before, only values that are new by identity are looked at,
 * and equal contents give that very tree.
 */
export function documentList<T>(form: DocumentForm<T>, values: readonly T[], previous?: Documents<T>): Documents<T> {
  return documentLists(form, [values], previous);
}

/** As {@link documentList}, for values that come in several lists: each is compared with the one that had its place before. */
export function documentLists<T>(form: DocumentForm<T>, lists: Lists<T>, previous?: Documents<T>): Documents<T> {
  const changes = new Map<string, Document<T> | undefined>();
  const before = previous === undefined ? [] : (listsOf.get(previous) as Lists<T> | undefined);
  if (previous !== undefined && before === undefined) visit(previous, (name) => changes.set(name, undefined));
  const count = Math.max(lists.length, before?.length ?? 0);
  const moves = Array.from({ length: count }, (_, index) => movements(before?.[index] ?? [], lists[index] ?? []));
  for (const { left } of moves) for (const value of left) changes.set(form.nameOf(value), undefined);
  for (const { arrived } of moves) for (const value of arrived) changes.set(form.nameOf(value), documentFor(form, value));
  const tree = changeTree(previous ?? emptyTrie<Document<T>>(), changes);
  if (tree.size > 0) listsOf.set(tree, lists);
  return tree;
}

type Lists<T> = readonly (readonly T[])[];

/** What a tree was made of: no part of it, only a way to see at a glance what changes next. */
const listsOf = new WeakMap<object, Lists<unknown>>();

function documentFor<T>(form: DocumentForm<T>, value: T): Document<T> | undefined {
  if (form.isSecret?.(value) === true) return form.sealer && sealDocument(value, form.sealer, form.formOf);
  const digest = form.digestOf?.(value);
  return digest === undefined ? makeDocument(value, form.formOf) : knownDocument(value, digest, form.formOf);
}
