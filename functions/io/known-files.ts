import type { BigIntStats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { equalLists } from "#core/lib/equality.ts";
import { isCode, reasonOf } from "./file-error.ts";
import { type FolderContent, joinContents } from "./folder.ts";
import { type FileContent, readContent, unreadable, unreadableContent } from "./object-file.ts";
import { isObjectFile, isObjectFolder } from "./object-names.ts";

/** What a scan found. */
export interface Scan {
  readonly changed: boolean;
  /** Files that were being written: they are worth another look soon. */
  readonly unsettled: readonly string[];
  /** Folders that were read, links followed. */
  readonly folders: readonly string[];
}

/** Milliseconds for which a file that changed must look the same. Longer than the steps of the system's file times. */
export const SETTLE = 20;

/** Files that are looked at together. */
const TOGETHER = 32;

/** How a file looks that is not there. */
const GONE = "gone";

/** Milliseconds for which a file counts as written just now. */
const RECENT = 100;

interface KnownFile {
  readonly signature: string;
  readonly content: FileContent;
}

/**
 * The files of some folders and what they held when they were last read. Looks at what the file system tells of a file (node, size, times) before it reads
 * it, and never takes a file that is being written for its content: one that changed, or went, must look the same twice.
 */
export class KnownFiles {
  readonly #roots: readonly string[];
  readonly #cluster: string;
  readonly #files = new Map<string, KnownFile>();
  /** How a file looked that was not settled, and since when. */
  readonly #pending = new Map<string, { readonly signature: string; readonly since: number }>();
  /** Folders that could not be read, by path. */
  readonly #broken = new Map<string, Diagnostic>();
  /** Folders, and files given as such, that were there at some look. */
  readonly #listed = new Set<string>();
  #started = false;

  constructor(roots: readonly string[], cluster: string) {
    this.#roots = [...new Set(roots)];
    this.#cluster = cluster;
  }

  content(): FolderContent {
    const paths = this.#roots.flatMap((root) => [...this.#files.keys()].filter((path) => isWithin(root, path)).sort(compareText));
    const files = joinContents([...new Set(paths)].map((path) => (this.#files.get(path) as KnownFile).content));
    const listed = [...this.#broken.keys()].every((path) => this.#listed.has(path));
    return { ...files, diagnostics: [...this.#broken.values(), ...files.diagnostics], listed, complete: listed && files.complete };
  }

  /** Looks at everything. `enter` is told of each folder before it is listed, so that a watch misses nothing that comes into it later. */
  async scan(enter: (folder: string) => void): Promise<Scan> {
    const walk: Walk = { files: [], folders: [], broken: new Map(), enter };
    for (const root of this.#roots) await this.#walk(root, walk, new Set());
    const seen = new Set(walk.files);
    let changed = this.#noteBroken(walk.broken);
    for (const path of this.#files.keys()) {
      const hidden = [...walk.broken.keys()].some((folder) => isWithin(folder, path));
      if (seen.has(path) || hidden) continue;
      if (await isGone(path)) seen.add(path);
      else changed = this.#forget(path) || changed;
    }
    const looked = await this.look([...seen]);
    this.#started = true;
    return { changed: changed || looked.changed, unsettled: looked.unsettled, folders: walk.folders };
  }

  /** Looks at some files. */
  async look(paths: readonly string[]): Promise<Pick<Scan, "changed" | "unsettled">> {
    const unsettled: string[] = [];
    let changed = false;
    for (let start = 0; start < paths.length; start += TOGETHER) {
      const some = paths.slice(start, start + TOGETHER);
      const found = await Promise.all(some.map((path) => this.#lookAt(path)));
      changed ||= found.some((one) => one.changed);
      unsettled.push(...some.filter((_, index) => found[index]?.unsettled));
    }
    return { changed, unsettled };
  }

  async #walk(path: string, walk: Walk, above: ReadonlySet<string>): Promise<void> {
    try {
      const status = await stat(path);
      if (status.isDirectory()) await this.#list(path, walk, above);
      else walk.files.push(path);
      this.#listed.add(path);
    } catch (error) {
      // A folder that went while we looked is gone; one that can't be read keeps what it held.
      if (above.size > 0 && isCode(error, "ENOENT")) return;
      walk.broken.set(path, unreadable({ cluster: this.#cluster, file: path }, reasonOf(error)));
    }
  }

  /** Links are followed, but no folder is entered twice on the way down. */
  async #list(path: string, walk: Walk, above: ReadonlySet<string>): Promise<void> {
    const real = await realpath(path);
    if (above.has(real)) return;
    const within = new Set(above).add(real);
    walk.folders.push(path);
    walk.enter(path);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const below = join(path, entry.name);
      const folder = isObjectFolder(entry.name) && (entry.isDirectory() || (entry.isSymbolicLink() && !isObjectFile(entry.name)));
      if (folder) await this.#enter(below, walk, within);
      else if (isObjectFile(entry.name)) walk.files.push(below);
    }
  }

  /** A folder, or a link to one; links to other files are nothing. */
  async #enter(path: string, walk: Walk, above: ReadonlySet<string>): Promise<void> {
    const status = await stat(path).catch(() => undefined);
    if (status?.isDirectory() === true) await this.#walk(path, walk, above);
  }

  async #lookAt(path: string): Promise<Look> {
    const known = this.#files.get(path);
    const status = await stat(path, { bigint: true }).catch((error: unknown) => error);
    if (isCode(status, "ENOENT")) return this.#miss(path);
    const signature = status instanceof Error ? status.message : signatureOf(status as BigIntStats);
    if (known?.signature === signature) return { changed: false, unsettled: false };
    if (this.#started && !this.#isSettled(path, signature)) return { changed: false, unsettled: true };
    this.#pending.delete(path);
    const content = await this.#read(path, known?.content);
    // The first look takes every file at once; one that was written just now is looked at again.
    const unsettled = !this.#started && !(status instanceof Error) && Date.now() - Number((status as BigIntStats).ctimeMs) < RECENT;
    this.#files.set(path, { signature: unsettled ? "" : signature, content });
    return { changed: known === undefined || !sameContent(known.content, content), unsettled };
  }

  /**
   * What moves from file to file is gone from one before the other is settled: an end must last as long as a change. What went with all that we were given
   * keeps what it held.
   */
  async #miss(path: string): Promise<Look> {
    for (const root of this.#roots) if (isWithin(root, path) && (await isGone(root))) return { changed: false, unsettled: false };
    const unsettled = this.#started && this.#files.has(path) && !this.#isSettled(path, GONE);
    return unsettled ? { changed: false, unsettled } : { changed: this.#forget(path), unsettled };
  }

  #isSettled(path: string, signature: string): boolean {
    const pending = this.#pending.get(path);
    if (pending?.signature === signature) return performance.now() - pending.since >= SETTLE;
    this.#pending.set(path, { signature, since: performance.now() });
    return false;
  }

  async #read(file: string, previous: FileContent | undefined): Promise<FileContent> {
    const options = { file, cluster: this.#cluster, ...(previous !== undefined && { previous }) };
    try {
      return readContent(await readFile(file, "utf8"), options);
    } catch (error) {
      return unreadableContent(error, options);
    }
  }

  #forget(path: string): boolean {
    this.#pending.delete(path);
    return this.#files.delete(path);
  }

  #noteBroken(broken: ReadonlyMap<string, Diagnostic>): boolean {
    const same = broken.size === this.#broken.size && [...broken].every(([path, one]) => this.#broken.get(path)?.message === one.message);
    if (same) return false;
    this.#broken.clear();
    for (const [path, one] of broken) this.#broken.set(path, one);
    return true;
  }
}

interface Look {
  readonly changed: boolean;
  readonly unsettled: boolean;
}

interface Walk {
  readonly files: string[];
  readonly folders: string[];
  readonly broken: Map<string, Diagnostic>;
  readonly enter: (folder: string) => void;
}

async function isGone(path: string): Promise<boolean> {
  return isCode(await stat(path).catch((error: unknown) => error), "ENOENT");
}

function signatureOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}/${size}/${mtimeNs}/${ctimeNs}`;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function sameContent(a: FileContent, b: FileContent): boolean {
  return equalLists(a.documents, b.documents) && JSON.stringify(a.diagnostics) === JSON.stringify(b.diagnostics);
}
