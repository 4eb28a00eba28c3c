import { canonicalText } from "#core/lib/canonical.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { admit } from "#core/sources/admit.ts";
import { emptyInventory, hasObject, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import { apiRegistry } from "../io/api.ts";
import type { FolderContent } from "../io/folder.ts";

/** What all watched folders hold now, and what is wrong with it. */
export interface SourceState {
  readonly inventory: () => Inventory;
  /** The same list as long as nothing else is found. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Takes a cluster's whole content; tells whether anything changed that an edition holds. */
  readonly accept: (cluster: string, content: FolderContent) => boolean;
}

/** Keeps the inventory of watched folders: an object whose new form is broken keeps its last good one, and a broken file keeps what it held. */
export function sourceState(configCluster: string): SourceState {
  let inventory = emptyInventory(configCluster);
  const found = new Map<string, readonly Diagnostic[]>();
  let all: readonly Diagnostic[] = [];
  return {
    inventory: () => inventory,
    diagnostics: () => all,
    accept: (cluster, content) => {
      const before = inventory;
      const admitted = admit(content.documents, {
        cluster,
        types: apiRegistry,
        istio: cluster === configCluster,
        hasGood: (key) => hasObject(before, key),
      });
      inventory = replaceAll(before, cluster, admitted);
      const known = found.get(cluster) ?? [];
      const now = [...content.diagnostics, ...admitted.diagnostics];
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
