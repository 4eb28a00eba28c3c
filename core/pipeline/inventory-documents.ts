import { documentList, type DocumentForm } from "#core/edition/document-list.ts";
import type { Documents } from "#core/edition/document.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import { movements } from "#core/lib/list-diff.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** Every object of an inventory, kind by kind; the same array for the same inventory. */
const allObjects = memoize((inventory: Inventory): readonly SourceObject[] =>
  (Object.keys(inventory.shelves).sort() as Kind[]).flatMap((kind) => (inventory.shelves[kind] ?? []) as readonly SourceObject[]),
);

/** An inventory as an edition stores it: objects by key, without where they were read; Secrets sealed, or not at all. */
export function inventoryDocuments(inventory: Inventory, sealer: Sealer | undefined, previous?: Documents): Documents {
  const form: DocumentForm<SourceObject> = {
    nameOf: ({ key }) => formatObjectKey(key),
    formOf: ({ origin, ...stored }) => stored,
    isSecret: ({ key }) => key.kind === "Secret",
    sealer,
  };
  return documentList(form, allObjects(inventory), previous as Documents<SourceObject> | undefined) as Documents;
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
