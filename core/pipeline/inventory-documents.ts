import { diffTrees } from "#core/edition/diff.ts";
import type { Document, Documents } from "#core/edition/document.ts";
import { type DocumentForm, documentLists } from "#core/edition/document-list.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import { compareText } from "#core/lib/compare.ts";
import { movements } from "#core/lib/list-diff.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { emptyTrie, lookUp, visit } from "#core/lib/trie.ts";
import type { Allocations } from "#core/model/resolve/services/auto-addresses.ts";
import { KINDS } from "#core/sources/decode/catalog.ts";
import { formOf, objectDigest } from "#core/sources/form.ts";
import { type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type AllocationRecord, allocationRecords, recordName } from "./allocations.ts";

type Stored = SourceObject | AllocationRecord;

const NONE: Allocations = {};

function formWith(sealer: Sealer | undefined): DocumentForm<Stored> {
  return {
    nameOf: (stored) => ("key" in stored ? formatObjectKey(stored.key) : recordName(stored)),
    formOf: storedForm,
    digestOf: (stored) => ("key" in stored ? objectDigest(stored) : undefined),
    isSecret: (stored) => "key" in stored && stored.key.kind === "Secret",
    sealer,
  };
}

/** An inventory as an edition stores it: objects by key, without where they were read, and allocated addresses; Secrets sealed, or not at all. */
export function inventoryDocuments(inventory: Inventory, allocations: Allocations = NONE, sealer?: Sealer, previous?: Documents): Documents {
  const objects = KINDS.map((kind): readonly Stored[] => objectsOf(inventory, kind));
  return documentLists(formWith(sealer), [...objects, allocationRecords(allocations)], previous as Documents<Stored> | undefined) as Documents;
}

function storedForm(stored: Stored): unknown {
  return "key" in stored ? formOf(stored) : stored;
}

/** An object as an edition stores it; undefined if it has none of that key, or a sealed one that can't be opened. */
export function storedObject(documents: Documents, key: ObjectKey): SourceObject | undefined {
  return lookUp(documents, formatObjectKey(key))?.value as SourceObject | undefined;
}

/** Every object of a cluster that an edition stores, sealed ones aside that can't be opened. */
export function storedObjects(documents: Documents, cluster: string): readonly SourceObject[] {
  const found: SourceObject[] = [];
  visit(documents, (name, { value }) => {
    if (name.startsWith(`${cluster}/`) && value !== undefined) found.push(value as SourceObject);
  });
  return found.sort((a, b) => compareText(formatObjectKey(a.key), formatObjectKey(b.key)));
}

/** Keys of the objects that came, went or changed between two states of an inventory. */
export function changedKeys(before: Inventory, after: Inventory): readonly ObjectKey[] {
  return KINDS.flatMap((kind) => {
    const now: readonly SourceObject[] = objectsOf(after, kind);
    const { left, arrived } = movements<SourceObject>(objectsOf(before, kind), now);
    const found = [...arrived].map(({ key }) => key);
    if (left.size === 0) return found;
    const known = new Set(found.map(formatObjectKey));
    return [...found, ...[...left].flatMap(({ key }) => (known.has(formatObjectKey(key)) ? [] : [key]))];
  });
}

/** Likewise, between what an edition stores and what the one after it will: what the first build of a process goes by. Without `before` all is new. */
export function storedChanges(before: Documents | undefined, after: Documents): readonly ObjectKey[] {
  const changes = diffTrees(before ?? emptyTrie<Document>(), after);
  return changes.flatMap(({ before: old, after: now }) => objectKeyOf(now ?? old) ?? []);
}

/** Undefined for records of addresses, and for what is sealed and can't be opened. */
function objectKeyOf(document: Document | undefined): ObjectKey | undefined {
  return (document?.value as { readonly key?: ObjectKey } | undefined)?.key;
}
