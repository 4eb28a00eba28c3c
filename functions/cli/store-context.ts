import { join } from "node:path";
import type { PublishContext } from "#core/store/context.ts";
import { brotli } from "../io/compression.ts";
import { systemRandom } from "../io/random.ts";
import { sealerOf } from "../io/seal.ts";
import { parseSealKey, readOrMakeSealKey, readSealKey } from "../io/seal-key.ts";
import { openStore } from "../io/store-url.ts";
import { CommandFailure } from "./failure.ts";

/** Where a seal key comes from when no variable names one: `serve` makes one beside its store, other commands publish no secrets without. */
export type KeyPolicy = "given" | "made";

/** Opens a store and what publishing to it needs. Throws {@link CommandFailure} for a URL or key that can't be used. */
export async function openStoreContext(url: string, keys: KeyPolicy = "given"): Promise<PublishContext> {
  const store = openStore(url);
  if ("error" in store) throw new CommandFailure(`--store ${store.error}`);
  const key = await sealKey(url, keys);
  return { store, compression: brotli, sealer: key && sealerOf(key), random: systemRandom, now: Date.now };
}

async function sealKey(url: string, keys: KeyPolicy): Promise<Uint8Array | undefined> {
  const { ALMANAC_SEAL_KEY: text, ALMANAC_SEAL_KEY_FILE: file } = process.env;
  const own = url.includes(":") ? join(".almanac-key", "seal.key") : `${url.replace(/\/+$/, "")}-key/seal.key`;
  const key = text !== undefined ? parseSealKey(text) : file !== undefined ? await readSealKey(file) : keys === "made" && url !== "memory:" ? await readOrMakeSealKey(own) : await readSealKey(own);
  if (file !== undefined && text === undefined && key === undefined) throw new CommandFailure(`ALMANAC_SEAL_KEY_FILE: ${file}: no such file`);
  if (key !== undefined && "error" in key) throw new CommandFailure(key.error);
  return key;
}
