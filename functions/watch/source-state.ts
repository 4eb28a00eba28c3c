import { canonicalText } from "#core/lib/canonical.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { equalLists } from "#core/lib/equality.ts";
import { emptyInventory, type Inventory } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type FindEarlier, takeDocuments } from "#core/sources/take-documents.ts";
import { apiRegistry } from "../io/api.ts";
import type { FolderContent } from "../io/folder.ts";

/** What all watched folders hold now, and what is wrong with it. */
export interface SourceState {
  readonly inventory: () => Inventory;
  /** The same list as long as nothing else is found. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Takes a cluster's whole content; tells whether anything changed that an edition holds, or whether all is there now. */
  readonly accept: (cluster: string, content: FolderContent, published?: Published) => boolean;
  /** Nothing may be built before every cluster's folders could be listed once: half a mesh would take services away from clients. */
  readonly ready: () => boolean;
}

/** The objects that were published last: of what is broken or can't be read at the first look nothing else is known. */
export interface Published {
  readonly find: FindEarlier;
  readonly all: (cluster: string) => readonly SourceObject[];
}

interface Source {
  readonly diagnostics: readonly Diagnostic[];
  readonly carried: readonly SourceObject[];
  readonly listed: boolean;
}

/**
 * Keeps the inventory of watched folders: an object whose new form is broken keeps its last good one, and a broken file keeps what it held. What can't be read
 * from the start may hold anything that was published before.
 */
export function sourceState(configCluster: string, clusters: readonly string[] = []): SourceState {
  let inventory = emptyInventory(configCluster);
  const sources = new Map<string, Source>();
  let all: readonly Diagnostic[] = [];
  return {
    inventory: () => inventory,
    diagnostics: () => all,
    ready: () => clusters.every((cluster) => sources.get(cluster)?.listed),
    accept: (cluster, content, published = NOTHING) => {
      const before = inventory;
      const known = sources.get(cluster) ?? UNKNOWN;
      const carried = carriedInto(content, sources.get(cluster) ?? { carried: published.all(cluster) });
      const options = { cluster, types: apiRegistry, istio: cluster === configCluster };
      const find = sources.has(cluster) && carried.length === 0 ? NOTHING.find : published.find;
      const taken = takeDocuments(before, content.documents, options, { find, carried });
      inventory = taken.inventory;
      const found = [...content.diagnostics, ...taken.diagnostics];
      const same = equalLists(known.diagnostics, found);
      const diagnostics = same ? known.diagnostics : found;
      // What is carried stands for what could not be listed.
      const listed = known.listed || content.listed || taken.carried.length > 0;
      sources.set(cluster, { diagnostics, carried: taken.carried, listed });
      if (!same) all = [...sources.values()].flatMap((source) => source.diagnostics);
      return inventory.shelves !== before.shelves || listed !== known.listed || !sameFindings(known.diagnostics, found);
    },
  };
}

/** What is kept of what can't be read: nothing once everything could be. */
function carriedInto(content: FolderContent, { carried }: Pick<Source, "carried">): Source["carried"] {
  return content.complete ? [] : carried;
}

const NOTHING: Published = { find: () => undefined, all: () => [] };
const UNKNOWN: Source = { diagnostics: [], carried: [], listed: false };

/** What is said of documents that were not read again keeps its identity. Where it was read is no part of an edition. */
function sameFindings(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  return equalLists(before, after, (one, other) => one === other || textOf(one) === textOf(other));
}

function textOf(diagnostic: Diagnostic | undefined): string {
  return canonicalText({ ...diagnostic, file: undefined, line: undefined });
}
