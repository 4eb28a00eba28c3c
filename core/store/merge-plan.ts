import type { PackRef } from "#core/edition/pack-ref.ts";

/** How many packs a root may name: a cold reader fetches as many objects. */
export const MAX_PACKS = 16;

/**
 * How many of the root's packs, from the oldest, the next publication keeps; what the others hold and is still needed goes into its own pack.
 * While there are few, all are kept. Then the newest are merged, up to one that is larger than all that comes after it: small packs are rewritten often
 * and large ones seldom, so that the bytes written grow with the logarithm of what is stored.
 */
export function packsToKeep(packs: readonly PackRef[]): number {
  let keep = packs.length;
  if (keep < MAX_PACKS) return keep;
  let merged = 0;
  do {
    keep--;
    merged += packs[keep]?.size ?? 0;
  } while (keep > 0 && (packs[keep - 1]?.size ?? 0) <= merged);
  return keep;
}
