import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isCode } from "./file-error.ts";

/** A held lock. */
export interface LockFile {
  /** Whether it is still ours; false after somebody took us for dead. */
  readonly held: () => boolean;
  readonly release: () => void;
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
  for (let waited = 0; !create(path, text); ) {
    if (waited > GIVE_UP_AFTER) throw new Error(`${path} is held by ${readOwner(path)}; remove it if that process is gone`);
    if (isStale(path)) breakLock(path);
    const pause = 1 + Math.min(20, waited / 20);
    await sleep(pause);
    waited += pause;
  }
  const since = performance.now();
  const held = (): boolean => performance.now() - since < STALE_AFTER / 2 || readOwner(path) === text;
  return {
    held,
    release: () => {
      if (held()) rmSync(path, { force: true });
    },
  };
}

function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    if (!isCode(error, "ENOENT")) throw error;
    mkdirSync(dirname(path), { recursive: true });
    return create(path, text);
  }
}

function isStale(path: string): boolean {
  if (ageOf(path) > STALE_AFTER) return true;
  const owner = parseOwner(readOwner(path));
  if (owner === undefined || owner.host !== hostname()) return false;
  return owner.pid === process.pid ? owner.instance !== INSTANCE : !isAlive(owner.pid);
}

/** Only one may remove a dead owner's lock, and looks again when it alone may: else a second would remove the lock of whoever came next. */
function breakLock(path: string): void {
  const breaking = `${path}-breaking`;
  if (!create(breaking, "")) {
    if (ageOf(breaking) > STALE_AFTER) rmSync(breaking, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
}

function readOwner(path: string): string | undefined {
  return unlessMissing(() => readFileSync(path, "utf8"));
}

/** A file just being written is empty: its owner is unknown until its age tells. */
function parseOwner(text: string | undefined): Owner | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Owner);
  } catch {
    return undefined;
  }
}

function ageOf(path: string): number {
  const found = unlessMissing(() => statSync(path));
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
