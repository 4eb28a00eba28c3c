import type { Edition } from "#core/edition/edition.ts";
import { type Layer, makeLayer } from "#core/edition/layer.ts";
import { type EditionParts, nextEdition } from "#core/edition/next-edition.ts";
import { makeResource, NO_NEEDS, type Resource, type ResourceType } from "#core/edition/resource.ts";
import { emptyTrie } from "#core/lib/trie.ts";
import type { Directory, DirectoryEntry } from "#core/node/directory.ts";
import { NO_RULES } from "#test/support/rules.ts";

/** A resource whose bytes are the given text. */
export function resource(type: ResourceType, name: string, text = "", endpoints: readonly string[] = []): Resource {
  const from = [{ cluster: "c", kind: "Service", namespace: "shop", name }];
  return makeResource(type, name, new TextEncoder().encode(`${name} ${text}`), { ...NO_NEEDS, endpoints }, from);
}

export function layer(resources: readonly Resource[], previous?: Layer): Layer {
  return makeLayer({ resources }, previous);
}

export function directoryOf(entries: readonly DirectoryEntry[]): Directory {
  return {
    entries,
    byName: (cluster, name, namespace) => entries.find((entry) => entry.cluster === cluster && entry.name === name && entry.namespace === namespace),
    byAddress: (cluster, address) => entries.find((entry) => entry.cluster === cluster && entry.addresses.includes(address)),
  };
}

export const NO_DIRECTORY = directoryOf([]);

/** An edition of layers alone. */
export function edition(layers: Readonly<Record<string, Layer>>, previous?: Edition, parts: Partial<EditionParts> = {}): Edition {
  return nextEdition(previous, {
    inventory: previous?.inventory ?? emptyTrie(),
    layers: new Map(Object.entries(layers)),
    directory: NO_DIRECTORY,
    rules: NO_RULES,
    census: emptyTrie(),
    diagnostics: emptyTrie(),
    cause: [],
    builder: "test",
    ...parts,
  });
}
