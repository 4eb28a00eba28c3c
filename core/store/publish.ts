import { collectEdition } from "#core/edition/collect.ts";
import type { Edition } from "#core/edition/edition.ts";
import { loadedOf } from "#core/edition/loaded.ts";
import { openPack } from "#core/edition/open-pack.ts";
import { encodePack } from "#core/edition/pack.ts";
import type { PackRef } from "#core/edition/pack-ref.ts";
import { Shelf } from "#core/edition/shelf.ts";
import { checksumOf } from "#core/lib/digest.ts";
import type { PublishContext } from "./context.ts";
import type { Head } from "./head.ts";
import { packsToKeep } from "./merge-plan.ts";
import type { Token } from "./object-store.ts";
import { storePack } from "./pack-store.ts";
import { encodeRoot, ROOT_FORMAT, type Root } from "./root.ts";
import { swapRoot } from "./swap-root.ts";

export type Publication =
  /** `bytes`: written in all, in two objects. */
  | { readonly outcome: "published"; readonly head: Head; readonly bytes: number }
  /** Nothing differs from the head, and nothing was written. */
  | { readonly outcome: "unchanged"; readonly head: Head }
  /** Somebody else published since `head` was read: load again, and build on that. */
  | { readonly outcome: "lost" };

/** Garbage may be collected this long after nothing names it any more, in milliseconds. */
const GRACE = 24 * 60 * 60 * 1000;

/**
 * Publishes an edition that was built on `head` (undefined: the store is empty, or was emptied): its pack first, the root second, so that readers never see a part of it.
 * Throws when the store fails; then it may or may not be published, and loading tells.
 */
export async function publish(context: PublishContext, head: Head | undefined, edition: Edition): Promise<Publication> {
  if (head !== undefined && head.edition.id === edition.id) return { outcome: "unchanged", head };
  const draft = draftPack(context, head, edition);
  await storePack(context.store, draft.ref, draft.bytes);
  // Packs that this root keeps are safe from the collector only for so long after they were seen in a root.
  if (head !== undefined && context.now() - head.readAt > GRACE / 2) return { outcome: "lost" };
  const root = nextRoot(context, head, edition, draft);
  const swapped = await swapRoot(context.store, root, head?.token);
  if (swapped.outcome === "lost") return swapped;
  return {
    outcome: "published",
    head: nextHead(context, head, edition, { ...draft, root, token: swapped.token }),
    bytes: draft.ref.size + encodeRoot(root).length,
  };
}

interface Draft {
  readonly ref: PackRef;
  readonly bytes: Uint8Array;
  /** How many of the head's packs stay, from the oldest. */
  readonly keep: number;
}

/** The pack of an edition: what it has and the packs that stay do not hold. */
function draftPack(context: PublishContext, head: Head | undefined, edition: Edition): Draft {
  const keep = packsToKeep(head?.root.packs ?? []);
  const packs = head?.root.packs.slice(0, keep) ?? [];
  const base = keep === head?.root.packs.length ? head.edition : head?.published[keep - 1]?.();
  const header = { edition: edition.id, generation: edition.generation, packs };
  const bytes = encodePack(header, collectEdition(edition, base), context.compression);
  return { ref: { name: packName(context, edition.generation), checksum: checksumOf(bytes), size: bytes.length }, bytes, keep };
}

function packName(context: PublishContext, generation: number): string {
  return `${String(generation).padStart(10, "0")}-${randomText(context, 6)}`;
}

function randomText(context: PublishContext, bytes: number): string {
  return Array.from(context.random(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function nextRoot(context: PublishContext, head: Head | undefined, edition: Edition, draft: Draft): Root {
  const ref = { edition: edition.id, generation: edition.generation };
  return {
    format: ROOT_FORMAT,
    // A store that was emptied goes on where its readers are, with an edition that was built on what it held.
    generation: Math.max((head?.root.generation ?? 0) + 1, edition.generation),
    nonce: randomText(context, 8),
    head: ref,
    served: ref,
    packs: [...(head?.root.packs.slice(0, draft.keep) ?? []), draft.ref],
  };
}

function nextHead(context: PublishContext, head: Head | undefined, edition: Edition, written: Draft & { root: Root; token: Token }): Head {
  const { ref, bytes, keep, root, token } = written;
  const shelf = head?.shelf ?? new Shelf(context.sealer);
  shelf.advance([...shelf.packs.slice(0, keep), openPack(ref, bytes, context.compression)]);
  return {
    root,
    token,
    readAt: context.now(),
    edition,
    loaded: loadedOf(edition, head?.loaded, { packs: shelf.packs, sealer: context.sealer }),
    published: [...(head?.published.slice(0, keep) ?? []), () => edition],
    shelf,
  };
}
