import type { Documents } from "#core/edition/document.ts";
import { type DocumentForm, documentFor, documentList } from "#core/edition/document-list.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import { changeTree } from "#core/edition/tree.ts";
import { movements } from "#core/lib/list-diff.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { Allocations } from "#core/model/resolve/auto-addresses.ts";
import { formOf, objectDigest } from "#core/sources/form.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import type { ObjectChange } from "#core/sources/inventory-diff.ts";
import type { Kind } from "#core/sources/kinds.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type AllocationRecord, allocationRecords, recordName } from "./allocations.ts";

/** Every object of an inventory, kind by kind; the same array for the same inventory. */
const allObjects = memoize((inventory: Inventory): readonly SourceObject[] =>
  (Object.keys(inventory.shelves).sort() as Kind[]).flatMap((kind) => (inventory.shelves[kind] ?? []) as readonly SourceObject[]),
);

type Stored = SourceObject | AllocationRecord;

/** What an edition's inventory holds, kind by kind; the same array for the same parts. */
const allStored = memoize((inventory: Inventory, allocations: Allocations): readonly Stored[] => [
  ...allObjects(inventory),
  ...allocationRecords(allocations),
]);

const NONE: Allocations = {};

const formWith = (sealer: Sealer | undefined): DocumentForm<Stored> => ({
  nameOf: (stored) => ("key" in stored ? formatObjectKey(stored.key) : recordName(stored)),
  formOf: storedForm,
  digestOf: (stored) => ("key" in stored ? objectDigest(stored) : undefined),
  isSecret: (stored) => "key" in stored && stored.key.kind === "Secret",
  sealer,
});

/** The stored inventory with some objects changed. */
export function changeInventory(previous: Documents, changes: readonly ObjectChange[], sealer?: Sealer): Documents {
  const form = formWith(sealer);
  const documents = changes.map(({ key, after }) => [formatObjectKey(key), after && documentFor<Stored>(form, after)] as const);
  return changeTree(previous, documents);
}

/** An inventory as an edition stores it: objects by key, without where they were read, and allocated addresses; Secrets sealed, or not at all. */
export function inventoryDocuments(inventory: Inventory, allocations: Allocations = NONE, sealer?: Sealer, previous?: Documents): Documents {
  return documentList(formWith(sealer), allStored(inventory, allocations), previous as Documents<Stored> | undefined) as Documents;
}

function storedForm(stored: Stored): unknown {
  return "key" in stored ? formOf(stored) : stored;
}

/** An object as an edition stores it; undefined if it has none of that key, or a sealed one that can't be opened. */
export function storedObject(documents: Documents, key: ObjectKey): SourceObject | undefined {
  return lookUp(documents, formatObjectKey(key))?.value as SourceObject | undefined;
}

/** Keys of the objects that came, went or changed between two states of an inventory. */
export function changedKeys(before: Inventory | undefined, after: Inventory): readonly ObjectKey[] {
  const keys = new Map<string, ObjectKey>();
  const kinds = new Set([...Object.keys(before?.shelves ?? {}), ...Object.keys(after.shelves)]) as Set<Kind>;
  for (const kind of kinds) {
    const old = before?.shelves[kind] ?? [];
    const now = after.shelves[kind] ?? [];
    if (old === now) continue;
    const { left, arrived } = movements<SourceObject>(old, now);
    for (const { key } of [...left, ...arrived]) keys.set(formatObjectKey(key), key);
  }
  return [...keys.values()];
}
