import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { type AdmitOptions, admit, type SourceDocument } from "./admit.ts";
import { applyChange, hasObject, type Inventory, replaceAll } from "./inventory.ts";
import type { SourceObject } from "./object.ts";

/** Finds the good form that an object had before this process: in the edition that was published last. */
export type FindEarlier = (key: ObjectKey) => SourceObject | undefined;

/** Takes a source's whole content into the inventory. An object whose form is refused keeps the last good one, be it of the inventory or earlier. */
export function takeDocuments(
  inventory: Inventory,
  documents: readonly SourceDocument[],
  options: Omit<AdmitOptions, "hasGood">,
  earlier: FindEarlier = () => undefined,
): { readonly inventory: Inventory; readonly diagnostics: readonly Diagnostic[] } {
  const hasGood = (key: ObjectKey): boolean => hasObject(inventory, key) || earlier(key) !== undefined;
  const admitted = admit(documents, { ...options, hasGood });
  const before = admitted.refused.reduce((known, key) => (hasObject(known, key) ? known : withObject(known, earlier(key))), inventory);
  return { inventory: replaceAll(before, options.cluster, admitted), diagnostics: admitted.diagnostics };
}

function withObject(inventory: Inventory, object: SourceObject | undefined): Inventory {
  return object === undefined ? inventory : applyChange(inventory, { type: "upsert", object });
}
