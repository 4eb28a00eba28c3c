import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { type AdmitOptions, type Admitted, admit, type SourceDocument } from "./admit.ts";
import { applyChange, hasObject, type Inventory, replaceAll } from "./inventory.ts";
import type { SourceObject } from "./object.ts";

/** Finds the good form that an object had before this process: in the edition that was published last. */
export type FindEarlier = (key: ObjectKey) => SourceObject | undefined;

/** What there was of a source before this process. */
export interface Earlier {
  readonly find: FindEarlier;
  /**
   * Objects that may stand in a part of the source that could not be read yet: they stay until it can, or until they are seen. Empty once all of the source
   * was read.
   */
  readonly carried: readonly SourceObject[];
}

/** What a source's documents make of an inventory. */
export interface Taken {
  readonly inventory: Inventory;
  readonly diagnostics: readonly Diagnostic[];
  /** What is still to be carried. */
  readonly carried: readonly SourceObject[];
}

const NOTHING: Earlier = { find: () => undefined, carried: [] };

/** Takes a source's whole content into the inventory. An object whose form is refused keeps the last good one, be it of the inventory or earlier. */
export function takeDocuments(
  inventory: Inventory,
  documents: readonly SourceDocument[],
  options: Omit<AdmitOptions, "hasGood">,
  earlier: Earlier = NOTHING,
): Taken {
  const hasGood = (key: ObjectKey): boolean => hasObject(inventory, key) || earlier.find(key) !== undefined;
  const admitted = admit(documents, { ...options, hasGood });
  const before = admitted.refused.reduce((known, key) => (hasObject(known, key) ? known : withObject(known, earlier.find(key))), inventory);
  const carried = unseen(earlier.carried, admitted);
  const objects = carried.length === 0 ? admitted.objects : [...admitted.objects.map((object) => agedAsBefore(object, earlier)), ...carried];
  return { inventory: replaceAll(before, options.cluster, { ...admitted, objects }), diagnostics: admitted.diagnostics, carried };
}

function unseen(carried: readonly SourceObject[], { objects, refused }: Admitted): readonly SourceObject[] {
  if (carried.length === 0) return carried;
  const seen = new Set([...objects.map(({ key }) => key), ...refused].map(formatObjectKey));
  return carried.filter(({ key }) => !seen.has(formatObjectKey(key)));
}

/** Ages by place would be those of another order while some of the source is not seen. */
function agedAsBefore(object: SourceObject, { find }: Earlier): SourceObject {
  const created = find(object.key)?.created ?? object.created;
  return created === object.created ? object : { ...object, created };
}

function withObject(inventory: Inventory, object: SourceObject | undefined): Inventory {
  return object === undefined ? inventory : applyChange(inventory, { type: "upsert", object });
}
