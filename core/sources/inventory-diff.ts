import { movements } from "#core/lib/list-diff.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { KINDS } from "./decode/catalog.ts";
import { objectDigest } from "./form.ts";
import { type Inventory, objectsOf } from "./inventory.ts";
import type { SourceObject } from "./object.ts";

/** One object that differs between two inventories; both forms are there if it changed. */
export interface ObjectChange {
  readonly key: ObjectKey;
  readonly before?: SourceObject;
  readonly after?: SourceObject;
}

/** What differs between two inventories, by kind and key. Shelves that are the same are not looked at; where an object was read does not count. */
export function changedObjects(before: Inventory, after: Inventory): readonly ObjectChange[] {
  return KINDS.flatMap((kind) => changedShelf(objectsOf(before, kind), objectsOf(after, kind)));
}

function changedShelf(before: readonly SourceObject[], after: readonly SourceObject[]): readonly ObjectChange[] {
  const { left, arrived } = movements(before, after);
  const changes = new Map<string, ObjectChange>();
  for (const object of left) changes.set(formatObjectKey(object.key), { key: object.key, before: object });
  for (const object of arrived)
    changes.set(formatObjectKey(object.key), { ...changes.get(formatObjectKey(object.key)), key: object.key, after: object });
  return [...changes.values()].filter(
    (one) => one.before === undefined || one.after === undefined || objectDigest(one.before) !== objectDigest(one.after),
  );
}
