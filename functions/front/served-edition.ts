import { storedDiagnostics } from "#core/edition/diagnostics.ts";
import type { Head } from "#core/store/head.ts";
import type { ServedEdition } from "#core/xds/serving.ts";

/** What a store's head serves, as people ask for it. */
export function servedEdition({ root, loaded }: Head): ServedEdition {
  const { edition } = loaded;
  return {
    generation: loaded.generation,
    edition: edition.id,
    pinned: root.served.edition !== root.head.edition,
    details: {
      head: root.head,
      cause: edition.cause,
      builder: edition.builder,
      parent: edition.parent,
      layers: edition.layers.size,
      nodes: edition.census.size,
      diagnostics: edition.diagnostics.size,
    },
    diagnostics: () => storedDiagnostics(edition.diagnostics),
  };
}
