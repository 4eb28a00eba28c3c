import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ObjectStore } from "#core/store/object-store.ts";
import { fileStore } from "./fs.ts";
import { memoryStore } from "./memory.ts";

/** A store that can't be opened; `error` is a sentence for whoever gave the URL. */
export interface NoStore {
  readonly error: string;
}

/** Opens a store by its URL: a folder (a path, or `file:`), or `memory:`. */
export function openStore(url: string): ObjectStore | NoStore {
  if (url === "memory:") return memoryStore();
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return url === "" ? { error: "the store has no URL: give a folder, or memory:" } : fileStore(resolve(url));
  if (scheme === "file") return fileStore(fileURLToPath(url));
  if (scheme === "s3") return { error: `${url}: S3 comes with a later release; give a folder, or memory:` };
  return { error: `${url}: no store of this kind is known; give a folder, or memory:` };
}
