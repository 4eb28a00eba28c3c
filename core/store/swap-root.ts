import type { ObjectStore, Token } from "./object-store.ts";
import { decodeRoot, encodeRoot, ROOT_KEY, type Root } from "./root.ts";

export type Swapped = { readonly outcome: "written"; readonly token: Token } | { readonly outcome: "lost" };

const ATTEMPTS = 3;

/**
 * Puts a root in the place of the one with the token, or of none. Of several publishers exactly one wins, the others have lost. A write whose answer was lost is
 * settled by reading the root back and comparing the nonce: ours is there; or another's, so we lost; or the old one still, so it is tried again, which is safe
 * because a late first write can only make the second be refused. Throws the store's error if that does not settle it.
 */
export async function swapRoot(store: ObjectStore, root: Root, token: Token | undefined): Promise<Swapped> {
  const bytes = encodeRoot(root);
  for (let attempt = 1; ; attempt++) {
    const put = await (token === undefined ? store.putIfAbsent(ROOT_KEY, bytes) : store.swap(ROOT_KEY, bytes, token)).catch(unknown);
    if (put.outcome === "written") return put;
    const got = await store.get(ROOT_KEY);
    if (got.outcome === "found" && decodeRoot(got.bytes).nonce === root.nonce) return { outcome: "written", token: got.token };
    if (put.outcome === "refused" || (got.outcome === "found" && got.token !== token)) return { outcome: "lost" };
    if (attempt === ATTEMPTS) throw put.error;
  }
}

function unknown(error: unknown): { readonly outcome: "unknown"; readonly error: unknown } {
  return { outcome: "unknown", error };
}
