import { type Loaded, loadedOf } from "#core/edition/loaded.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import type { Head } from "#core/store/head.ts";

/** Enough for what happens while a client is away for a moment, and few enough to look through for each client that comes back. */
const REMEMBERED = 8;

/** Editions before the served one that the store's packs still hold whole, newest first. Opened when first asked for. */
export function recentEditions(head: Head, sealer: Sealer | undefined): readonly Loaded[] {
  const known = opened.get(head);
  if (known !== undefined) return known;
  const editions = head.published.slice(-REMEMBERED - 1).map((edition) => edition());
  const before = editions.filter(({ id }) => id !== head.loaded.edition.id).reverse();
  const loaded = before.map((edition) => loadedOf(edition, undefined, { packs: head.shelf.packs, sealer }));
  opened.set(head, loaded);
  return loaded;
}

const opened = new WeakMap<Head, readonly Loaded[]>();
