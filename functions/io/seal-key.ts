import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isCode } from "./file-error.ts";

/** A key that can't be used; `error` is a sentence for whoever gave it. */
export interface BadKey {
  readonly error: string;
}

/** A seal key as text: 32 bytes in base64 (either alphabet) or hexadecimal. */
export function parseSealKey(text: string): Uint8Array | BadKey {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64");
  return key.length === 32 ? key : { error: "a seal key is 32 bytes in base64 or hexadecimal, for example from: openssl rand -base64 32" };
}

/** The key in a file; undefined if there is no such file. */
export async function readSealKey(path: string): Promise<Uint8Array | BadKey | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = parseSealKey(text);
  return "error" in key ? { error: `${path}: ${key.error}` } : key;
}

/** The key in a file that only its owner may read; made if there is none. Of two processes that make it at once, both get the one that was first. */
export async function readOrMakeSealKey(path: string): Promise<Uint8Array | BadKey> {
  const found = await readSealKey(path);
  if (found !== undefined) return found;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  await link(draft, path).catch((error: unknown) => {
    if (!isCode(error, "EEXIST")) throw error;
  });
  await unlink(draft);
  return (await readSealKey(path)) ?? { error: `${path}: the key that was just made is gone` };
}
