import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compareText } from "#core/lib/compare.ts";
import { checkKey } from "#core/store/check-key.ts";
import type { Got, Listed, ObjectStore, Put, Token } from "#core/store/object-store.ts";
import { isCode } from "./file-error.ts";
import { lockFile } from "./lock-file.ts";

/** Files being written, and locks; never listed. */
const WORKING = ".working";

/**
 * A folder as a store, for one machine or a file system that is shared (it needs hard links and atomic renames). An object appears whole or not at all: it is
 * written aside, brought to disk, and then linked or renamed into place. Tokens are digests of the content.
 */
export function fileStore(folder: string): ObjectStore {
  const working = join(folder, WORKING);
  const pathOf = (key: string): string => join(folder, checkKey(key));
  /** The swap of one key excludes all others of it, in all processes. */
  const locked = async <T>(key: string, work: (stillOurs: () => Promise<boolean>) => Promise<T>): Promise<T> => {
    await mkdir(working, { recursive: true });
    const lock = await lockFile(join(working, `${key.replaceAll("/", "+")}.lock`));
    try {
      return await work(lock.held);
    } finally {
      await lock.release();
    }
  };
  return {
    get: async (key, ifNot) => read(pathOf(key), ifNot),
    putIfAbsent: async (key, bytes) => {
      const path = pathOf(key);
      return withDraft(working, path, bytes, async (draft): Promise<Put> => {
        const created = await linkIfAbsent(draft, path);
        return created ? { outcome: "written", token: tokenOf(bytes) } : { outcome: "refused" };
      });
    },
    swap: async (key, bytes, token) => {
      const path = pathOf(key);
      return withDraft(working, path, bytes, (draft) =>
        locked(key, async (stillOurs): Promise<Put> => {
          const current = await read(path, token);
          if (current.outcome !== "unchanged" || !(await stillOurs())) return { outcome: "refused" };
          await rename(draft, path);
          return { outcome: "written", token: tokenOf(bytes) };
        }),
      );
    },
    list: (prefix) => list(folder, prefix),
    delete: async (key, token) => {
      const path = pathOf(key);
      if (token === undefined) return rm(path, { force: true });
      return locked(key, async () => {
        if ((await read(path, token)).outcome === "unchanged") await rm(path, { force: true });
      });
    },
  };
}

function tokenOf(bytes: Uint8Array): Token {
  return createHash("sha256").update(bytes).digest("base64url");
}

async function read(path: string, ifNot: Token | undefined): Promise<Got> {
  try {
    const bytes = new Uint8Array(await readFile(path));
    const token = tokenOf(bytes);
    return token === ifNot ? { outcome: "unchanged" } : { outcome: "found", bytes, token };
  } catch (error) {
    if (isCode(error, "ENOENT")) return { outcome: "absent" };
    throw error;
  }
}

/** Writes the content aside and gives it to `place`; what is left of it afterwards is removed. */
async function withDraft<T>(working: string, path: string, bytes: Uint8Array, place: (draft: string) => Promise<T>): Promise<T> {
  await Promise.all([mkdir(working, { recursive: true }), mkdir(dirname(path), { recursive: true })]);
  const draft = join(working, randomUUID());
  try {
    await writeDurably(draft, bytes);
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Content must be on disk before its name is: else a crash of the machine could leave a name with nothing behind it. */
async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function linkIfAbsent(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function list(folder: string, prefix: string): Promise<readonly Listed[]> {
  const under = prefix.includes("/") ? prefix.slice(0, prefix.lastIndexOf("/")) : "";
  const files = await readdir(join(folder, under), { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  });
  const listed = files.filter((file) => file.isFile()).map((file) => entryOf(folder, join(file.parentPath, file.name)));
  const found = (await Promise.all(listed)).filter((entry) => entry !== undefined);
  return found.filter(({ key }) => key.startsWith(prefix) && !key.startsWith(`${WORKING}/`)).sort((a, b) => compareText(a.key, b.key));
}

async function entryOf(folder: string, path: string): Promise<Listed | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { key: path.slice(folder.length + 1).replaceAll("\\", "/"), size: found.size, modified: Math.floor(found.mtimeMs) };
}
