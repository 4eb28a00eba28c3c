import { type OpenPack, openPack } from "#core/edition/open-pack.ts";
import type { PackRef } from "#core/edition/pack-ref.ts";
import { checksumOf } from "#core/lib/digest.ts";
import type { StoreContext } from "./context.ts";
import type { ObjectStore } from "./object-store.ts";

/** Before the name of a pack in its key. */
export const PACK_PREFIX = "packs/";

/** A pack that is in the store no more: the root that named it was overtaken. */
export interface PackGone {
  readonly gone: string;
}

/** Fetches and proves a pack. Throws if its bytes are not those that were published. */
export async function fetchPack(context: StoreContext, ref: PackRef): Promise<OpenPack | PackGone> {
  const got = await context.store.get(PACK_PREFIX + ref.name);
  if (got.outcome !== "found") return { gone: ref.name };
  if (checksumOf(got.bytes) !== ref.checksum) throw new Error(`pack ${ref.name} is damaged: its checksum is not ${ref.checksum}`);
  return openPack(ref, got.bytes, context.compression);
}

/** Stores a pack. An answer that was lost, or a refusal, is settled by looking at what is there. */
export async function storePack(store: ObjectStore, ref: PackRef, bytes: Uint8Array): Promise<void> {
  const put = await store.putIfAbsent(PACK_PREFIX + ref.name, bytes).catch((error: unknown) => ({ outcome: "unknown" as const, error }));
  if (put.outcome === "written") return;
  const got = await store.get(PACK_PREFIX + ref.name);
  if (got.outcome === "found" && checksumOf(got.bytes) === ref.checksum) return;
  throw put.outcome === "unknown" ? put.error : new Error(`another pack has the name ${ref.name}`);
}
