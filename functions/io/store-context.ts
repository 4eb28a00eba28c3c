import { join } from "node:path";
import type { PublishContext } from "#core/store/context.ts";
import { brotli } from "./compression.ts";
import { systemRandom } from "./random.ts";
import { sealerOf } from "./seal.ts";
import { type BadKey, parseSealKey, readOrMakeSealKey, readSealKey } from "./seal-key.ts";
import { type NoStore, openStore } from "./store-url.ts";

/** Where a seal key comes from when no variable names one: `serve` makes one beside its store, others seal and open nothing without. */
export type KeyPolicy = "given" | "made";

/** Opens a store with what reading it and publishing to it need; the key is that of `ALMANAC_SEAL_KEY[_FILE]`, else the one beside the store. */
export async function storeContext(url: string, keys: KeyPolicy = "given"): Promise<PublishContext | NoStore> {
  const store = openStore(url);
  if ("error" in store) return { error: `--store ${store.error}` };
  const key = await sealKey(url, keys);
  if (key !== undefined && "error" in key) return key;
  return { store, compression: brotli, sealer: key && sealerOf(key), random: systemRandom, now: Date.now };
}

async function sealKey(url: string, keys: KeyPolicy): Promise<Uint8Array | BadKey | undefined> {
  const { ALMANAC_SEAL_KEY: text, ALMANAC_SEAL_KEY_FILE: file } = process.env;
  if (text !== undefined) return parseSealKey(text);
  if (file !== undefined) return (await readSealKey(file)) ?? { error: `ALMANAC_SEAL_KEY_FILE: ${file}: no such file` };
  const own = url.includes(":") ? join(".almanac-key", "seal.key") : `${url.replace(/\/+$/, "")}-key/seal.key`;
  return keys === "made" && url !== "memory:" ? readOrMakeSealKey(own) : readSealKey(own);
}
