import type { StoreContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import { PACK_PREFIX } from "#core/store/pack-store.ts";
import { encodeRoot, ROOT_KEY } from "#core/store/root.ts";
import { fileStore } from "../io/fs.ts";
import type { EditionCache } from "./store-source.ts";

/** A folder that keeps what a store last served: packs as they are read, and the root once it was loaded. */
export function diskCache(folder: string, context: StoreContext): { readonly cache: EditionCache; readonly context: StoreContext } {
  const kept = fileStore(folder);
  return {
    cache: { context: { ...context, store: kept }, keep: (head) => keep(kept, head) },
    context: { ...context, store: throughCache(context.store, kept) },
  };
}

/** Packs never change: one that was read once is read from disk. */
function throughCache(store: ObjectStore, kept: ObjectStore): ObjectStore {
  return {
    ...store,
    get: async (key, ifNot) => {
      if (!key.startsWith(PACK_PREFIX)) return store.get(key, ifNot);
      const known = await kept.get(key).catch(() => undefined);
      if (known?.outcome === "found") return known;
      const got = await store.get(key, ifNot);
      // A disk that is full costs the next start, not this one.
      if (got.outcome === "found") await kept.putIfAbsent(key, got.bytes).catch(() => undefined);
      return got;
    },
  };
}

/** The root last: whatever is there when the process ends can be opened. */
async function keep(kept: ObjectStore, { root }: Head): Promise<void> {
  const bytes = encodeRoot(root);
  const before = await kept.get(ROOT_KEY);
  if (before.outcome === "found") await kept.swap(ROOT_KEY, bytes, before.token);
  else await kept.putIfAbsent(ROOT_KEY, bytes);
  const named = new Set(root.packs.map(({ name }) => PACK_PREFIX + name));
  for (const { key } of await kept.list(PACK_PREFIX)) if (!named.has(key)) await kept.delete(key);
}
