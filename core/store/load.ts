import type { Edition } from "#core/edition/edition.ts";
import { storedEdition } from "#core/edition/edition-record.ts";
import { type Loaded, reloadedOf } from "#core/edition/loaded.ts";
import { type OpenPack, openPack } from "#core/edition/open-pack.ts";
import type { PackRef } from "#core/edition/pack-ref.ts";
import { Shelf } from "#core/edition/shelf.ts";
import { checksumOf } from "#core/lib/digest.ts";
import type { StoreContext } from "./context.ts";
import type { Head } from "./head.ts";
import type { Token } from "./object-store.ts";
import { fetchPack, PACK_PREFIX, type PackGone } from "./pack-store.ts";
import { decodeRoot, ROOT_KEY, type Root } from "./root.ts";

export type LoadResult =
  | { readonly outcome: "loaded"; readonly head: Head }
  /** The root is the one that `previous` has. */
  | { readonly outcome: "unchanged"; readonly head: Head }
  /** The store holds an older generation than this process has seen (it was restored, or lies): what was loaded before stays in force. */
  | { readonly outcome: "behind"; readonly head: Head; readonly generation: number }
  /** Nothing was published yet. */
  | { readonly outcome: "empty" };

const ATTEMPTS = 5;

/**
 * Reads the root and opens what it names. Given the previous head, only packs that are new are fetched, and what is unchanged keeps its identity.
 * A pack that is gone means that the root was overtaken: it is read again. Throws when the store fails or holds damaged content.
 */
export async function loadHead(context: StoreContext, previous?: Head): Promise<LoadResult> {
  for (let attempt = 1; ; attempt++) {
    const got = await context.store.get(ROOT_KEY, previous?.token);
    if (got.outcome === "absent") return { outcome: "empty" };
    if (got.outcome === "unchanged") return { outcome: "unchanged", head: { ...(previous as Head), readAt: context.now() } };
    const root = decodeRoot(got.bytes);
    if (previous !== undefined && root.generation < previous.root.generation)
      return { outcome: "behind", head: previous, generation: root.generation };
    const packs = await fetchPacks(context, root.packs, previous?.shelf.packs ?? []);
    if (!("gone" in packs)) return { outcome: "loaded", head: headOf(context, { root, token: got.token, packs }, previous) };
    if (attempt === ATTEMPTS) throw new Error(`the root names pack ${packs.gone}, which the store does not have`);
  }
}

/** Opens any retained edition from its own pack, whose header names the packs that complete it. Undefined if one of them is no longer there. */
export async function openEdition(context: StoreContext, packName: string): Promise<Loaded | undefined> {
  const got = await context.store.get(PACK_PREFIX + packName);
  if (got.outcome !== "found") return undefined;
  const own = openPack({ name: packName, checksum: checksumOf(got.bytes), size: got.bytes.length }, got.bytes, context.compression);
  const others = await fetchPacks(context, own.header.packs, []);
  if ("gone" in others) return undefined;
  const shelf = new Shelf(context.sealer);
  shelf.advance([...others, own]);
  return reloadedOf(storedEdition(own.header.edition, shelf), { packs: shelf.packs, sealer: context.sealer });
}

async function fetchPacks(context: StoreContext, refs: readonly PackRef[], known: readonly OpenPack[]): Promise<readonly OpenPack[] | PackGone> {
  const packs = await Promise.all(refs.map((ref) => known.find((pack) => pack.ref.name === ref.name) ?? fetchPack(context, ref)));
  return packs.find((pack) => "gone" in pack) ?? (packs as readonly OpenPack[]);
}

function headOf(context: StoreContext, read: { root: Root; token: Token; packs: readonly OpenPack[] }, previous: Head | undefined): Head {
  const { root, token, packs } = read;
  const shelf = previous?.shelf ?? new Shelf(context.sealer);
  shelf.advance(packs);
  const edition = storedEdition(root.head.edition, shelf, previous?.edition);
  const served = root.served.edition === root.head.edition ? edition : storedEdition(root.served.edition, shelf, edition);
  const loaded = reloadedOf(served, { packs, sealer: context.sealer }, previous?.loaded);
  const published = packs.map((pack) => lazily(() => storedEdition(pack.header.edition, shelf, edition)));
  return { root, token, readAt: context.now(), edition, loaded, published, shelf };
}

function lazily(make: () => Edition): () => Edition {
  let made: Edition | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
