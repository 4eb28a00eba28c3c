import { randomUUID } from "node:crypto";
import { readFile, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isCode } from "./file-error.ts";

/** A held lock. */
export interface LockFile {
  /** Whether it is still ours; false after somebody took us for dead. */
  readonly held: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Nobody holds a lock for longer than a write takes; who does was stopped or lost. In milliseconds. */
const STALE_AFTER = 30_000;
const GIVE_UP_AFTER = 60_000;

/** Tells processes apart that have the same pid one after the other, as in a restarted container. */
const INSTANCE = randomUUID();

interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly instance: string;
  readonly lock: string;
}

/**
 * Takes a lock between processes that share a folder: a file that only one can create. Waits while somebody lives who holds it; takes it from the dead.
 * Throws after a minute.
 */
export async function lockFile(path: string): Promise<LockFile> {
  const owner: Owner = { host: hostname(), pid: process.pid, instance: INSTANCE, lock: randomUUID() };
  const text = JSON.stringify(owner);
  for (let waited = 0; !(await create(path, text)); ) {
    if (waited > GIVE_UP_AFTER) throw new Error(`${path} is held by ${await readOwner(path)}; remove it if that process is gone`);
    if (await isStale(path)) await breakLock(path);
    const pause = 1 + Math.min(20, waited / 20);
    await sleep(pause);
    waited += pause;
  }
  return {
    held: async () => (await readOwner(path)) === text,
    release: async () => {
      if ((await readOwner(path)) === text) await removeFile(path);
    },
  };
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  const [text, age] = await Promise.all([readOwner(path), ageOf(path)]);
  if (age > STALE_AFTER) return true;
  const owner = parseOwner(text);
  if (owner === undefined || owner.host !== hostname()) return false;
  return owner.pid === process.pid ? owner.instance !== INSTANCE : !isAlive(owner.pid);
}

/** Only one may remove a dead owner's lock, and looks again when it alone may: else a second would remove the lock of whoever came next. */
async function breakLock(path: string): Promise<void> {
  const breaking = `${path}-breaking`;
  if (!(await create(breaking, ""))) {
    if ((await ageOf(breaking)) > STALE_AFTER) await removeFile(breaking);
    return;
  }
  try {
    if (await isStale(path)) await removeFile(path);
  } finally {
    await removeFile(breaking);
  }
}

async function readOwner(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => ignoreMissing(error));
}

/** A file just being written is empty: its owner is unknown until its age tells. */
function parseOwner(text: string | undefined): Owner | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Owner);
  } catch {
    return undefined;
  }
}

async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => ignoreMissing(error));
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => ignoreMissing(error));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!isCode(error, "ENOENT")) throw error;
}
