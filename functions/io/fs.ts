import { createHash, randomUUID } from "node:crypto";
import { closeSync, fdatasync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
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
 * Small steps are done at once, since a trip through Node's thread pool costs ten times as much as they do; only the disk itself is waited for.
 */
export function fileStore(folder: string): ObjectStore {
  const working = join(folder, WORKING);
  const pathOf = (key: string): string => join(folder, checkKey(key));
  /** The swap of one key excludes all others of it, in all processes. */
  const locked = async <T>(key: string, work: (stillOurs: () => boolean) => T): Promise<T> => {
    const lock = await lockFile(join(working, `${key.replaceAll("/", "+")}.lock`));
    try {
      return work(lock.held);
    } finally {
      lock.release();
    }
  };
  return {
    get: async (key, ifNot) => read(pathOf(key), ifNot),
    putIfAbsent: async (key, bytes) => {
      const path = pathOf(key);
      const draft = await writeDraft(working, bytes);
      try {
        return linkIfAbsent(draft, path) ? written(bytes) : { outcome: "refused" };
      } finally {
        rmSync(draft);
      }
    },
    swap: async (key, bytes, token) => {
      const path = pathOf(key);
      const draft = await writeDraft(working, bytes);
      try {
        return await locked(key, (stillOurs): Put => {
          if (!hasToken(path, token) || !stillOurs()) return { outcome: "refused" };
          renameSync(draft, path);
          return written(bytes);
        });
      } finally {
        rmSync(draft, { force: true });
      }
    },
    list: (prefix) => list(folder, prefix),
    delete: async (key, token) => {
      const path = pathOf(key);
      if (token === undefined) return rmSync(path, { force: true });
      return locked(key, () => {
        if (hasToken(path, token)) rmSync(path, { force: true });
      });
    },
  };
}

function written(bytes: Uint8Array): Put {
  return { outcome: "written", token: tokenOf(bytes) };
}

function tokenOf(bytes: Uint8Array): Token {
  return createHash("sha256").update(bytes).digest("base64url");
}

/** What is asked for again and again is the root, which is small; packs are waited for. */
async function read(path: string, ifNot: Token | undefined): Promise<Got> {
  try {
    const bytes = new Uint8Array(ifNot === undefined ? await readFile(path) : readFileSync(path));
    const token = tokenOf(bytes);
    return token === ifNot ? { outcome: "unchanged" } : { outcome: "found", bytes, token };
  } catch (error) {
    if (isCode(error, "ENOENT")) return { outcome: "absent" };
    throw error;
  }
}

function hasToken(path: string, token: Token): boolean {
  try {
    return tokenOf(readFileSync(path)) === token;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

const flush = promisify(fdatasync);

/** Content must be on disk before its name is: else a crash of the machine could leave a name with nothing behind it. */
async function writeDraft(working: string, bytes: Uint8Array): Promise<string> {
  const path = join(working, randomUUID());
  const file = inFolder(working, () => openSync(path, "wx"));
  try {
    writeFileSync(file, bytes);
    await flush(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return path;
}

function linkIfAbsent(draft: string, path: string): boolean {
  try {
    inFolder(dirname(path), () => linkSync(draft, path));
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Folders are made when they turn out to be missing: all but the first write find them there. */
function inFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    mkdirSync(folder, { recursive: true });
    return work();
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
  return found && { key: relative(folder, path).replaceAll("\\", "/"), size: found.size, modified: Math.floor(found.mtimeMs) };
}
