import type { Edition } from "#core/edition/edition.ts";
import { visit } from "#core/lib/trie.ts";

/** Keys of all layers, sorted. */
export function layerKeys(edition: Edition): readonly string[] {
  const keys: string[] = [];
  visit(edition.layers, (key) => keys.push(key));
  return keys.sort();
}
