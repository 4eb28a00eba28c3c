import { canonicalText } from "#core/lib/canonical.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { emptyInventory, type Inventory } from "#core/sources/inventory.ts";
import { type FindEarlier, takeDocuments } from "#core/sources/take-documents.ts";
import { apiRegistry } from "../io/api.ts";
import type { FolderContent } from "../io/folder.ts";

/** What all watched folders hold now, and what is wrong with it. */
export interface SourceState {
  readonly inventory: () => Inventory;
  /** The same list as long as nothing else is found. */
  readonly diagnostics: () => readonly Diagnostic[];
  /**
   * Takes a cluster's whole content; tells whether anything changed that an edition holds. `earlier` finds what there was before this process: it counts where
   * an object is broken at the first look.
   */
  readonly accept: (cluster: string, content: FolderContent, earlier?: FindEarlier) => boolean;
}

/** Keeps the inventory of watched folders: an object whose new form is broken keeps its last good one, and a broken file keeps what it held. */
export function sourceState(configCluster: string): SourceState {
  let inventory = emptyInventory(configCluster);
  const found = new Map<string, readonly Diagnostic[]>();
  let all: readonly Diagnostic[] = [];
  return {
    inventory: () => inventory,
    diagnostics: () => all,
    accept: (cluster, content, earlier) => {
      const before = inventory;
      const taken = takeDocuments(before, content.documents, { cluster, types: apiRegistry, istio: cluster === configCluster }, earlier);
      inventory = taken.inventory;
      const known = found.get(cluster) ?? [];
      const now = [...content.diagnostics, ...taken.diagnostics];
      if (known.length !== now.length || known.some((one, index) => one !== now[index])) {
        found.set(cluster, now);
        all = [...found.values()].flat();
      }
      return inventory.shelves !== before.shelves || !sameFindings(known, now);
    },
  };
}

/** What is said of documents that were not read again keeps its identity. Where it was read is no part of an edition. */
function sameFindings(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  return before.length === after.length && before.every((one, index) => one === after[index] || textOf(one) === textOf(after[index]));
}

function textOf(diagnostic: Diagnostic | undefined): string {
  return canonicalText({ ...diagnostic, file: undefined, line: undefined });
}
