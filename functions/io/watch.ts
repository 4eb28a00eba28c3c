import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import type { FolderContent } from "./folder.ts";
import { KnownFiles, SETTLE } from "./known-files.ts";
import { isObjectFile } from "./object-names.ts";

export interface WatchOptions {
  /** Folders, or single files. */
  readonly dirs: readonly string[];
  /** Cluster id of the source. */
  readonly cluster: string;
  /** Told at once of the first content and of a change after a quiet time; changes that follow are told together. Awaited before the next call. */
  readonly onContent: (content: FolderContent) => void | Promise<void>;
  /** Told of what `onContent` throws; watching goes on. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two calls, at least. */
  readonly batch?: number;
  /** Milliseconds after which everything is looked at again, whatever the file system told (network file systems tell nothing). */
  readonly rescan?: number;
}

/** Milliseconds that a change waits for files that are still being written, at most: what is written together is told together. */
const PATIENCE = 500;

export interface FolderWatch {
  /** Resolves when the first content was told. */
  readonly ready: Promise<void>;
  close(): void;
}

/**
 * Watches folders of objects and tells their whole content whenever it changed. Notifications only say where to look; what counts is what a look finds, so
 * renames over a file, links that are swapped (ConfigMap volumes) and notifications that get lost all end alike.
 */
export function watchFolders(options: WatchOptions): FolderWatch {
  const watcher = new Watcher(options);
  return { ready: watcher.run(), close: () => watcher.close() };
}

class Watcher {
  readonly #options: WatchOptions;
  /** Without `./` and trailing slashes. */
  readonly #dirs: readonly string[];
  readonly #files: KnownFiles;
  readonly #folders = new Map<string, FSWatcher>();
  /** Files to look at; or everything. */
  #wanted: readonly string[] | "all" = "all";
  /** Files that were being written. */
  readonly #unsettled = new Set<string>();
  #busy = false;
  #untold = true;
  #untoldSince = Number.NEGATIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  readonly #timers = new Map<"settle" | "tell" | "rescan", NodeJS.Timeout>();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#dirs = options.dirs.map((dir) => normalize(dir).replace(/(?<=.)\/$/, ""));
    this.#files = new KnownFiles(this.#dirs, options.cluster);
  }

  /** Looks and tells until there is nothing left to do. */
  async run(): Promise<void> {
    if (this.#busy || this.#closed) return;
    this.#busy = true;
    while (this.#hasWork() && !this.#closed) {
      if (this.#wanted.length !== 0) await this.#look();
      else await this.#tell();
    }
    this.#busy = false;
    const wait = this.#untold ? this.#toldAt + this.#batch() - performance.now() : 0;
    if (wait > 0) this.#later("tell", wait, () => this.run());
  }

  #hasWork(): boolean {
    if (this.#wanted.length !== 0) return true;
    const now = performance.now();
    const whole = this.#unsettled.size === 0 || now - this.#untoldSince >= PATIENCE;
    return this.#untold && whole && now - this.#toldAt >= this.#batch();
  }

  #batch(): number {
    return this.#options.batch ?? 100;
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const folder of this.#folders.values()) folder.close();
    this.#folders.clear();
  }

  async #look(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    const found = wanted === "all" ? await this.#scan() : await this.#files.look([...new Set(wanted)]);
    if (found.changed && !this.#untold) this.#untoldSince = performance.now();
    this.#untold ||= found.changed;
    for (const path of found.unsettled) this.#unsettled.add(path);
    if (this.#unsettled.size > 0) this.#later("settle", SETTLE, () => this.#wantUnsettled());
  }

  async #scan(): Promise<{ readonly changed: boolean; readonly unsettled: readonly string[] }> {
    const scan = await this.#files.scan((folder) => this.#watch(folder));
    const folders = new Set(scan.folders);
    for (const dir of this.#dirs) if (!folders.has(dir)) folders.add(await folderOf(dir));
    for (const [path, watcher] of this.#folders) if (!folders.has(path)) this.#unwatch(path, watcher);
    for (const path of folders) this.#watch(path);
    this.#later("rescan", this.#options.rescan ?? 5_000, () => this.#want("all"));
    return scan;
  }

  async #tell(): Promise<void> {
    this.#untold = false;
    try {
      await this.#options.onContent(this.#files.content());
    } catch (error) {
      this.#options.onError(error);
    }
    this.#toldAt = performance.now();
  }

  #want(paths: readonly string[] | "all"): Promise<void> {
    this.#wanted = paths === "all" || this.#wanted === "all" ? "all" : [...this.#wanted, ...paths];
    return this.run();
  }

  #wantUnsettled(): Promise<void> {
    const paths = [...this.#unsettled];
    this.#unsettled.clear();
    return this.#want(paths);
  }

  /** A folder that can't be watched (limits of the system, a network file system) is still looked at again and again. */
  #watch(path: string): void {
    if (this.#closed || this.#folders.has(path)) return;
    try {
      const watcher = watch(path, (event, name) => this.#notice(path, event, name));
      watcher.on("error", () => this.#unwatch(path, watcher));
      this.#folders.set(path, watcher);
    } catch {
      // Nothing is lost but time.
    }
  }

  #unwatch(path: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#folders.get(path) === watcher) this.#folders.delete(path);
  }

  /** A file is looked at alone; anything else may be a folder, or a link that files are read through. */
  #notice(folder: string, event: string, name: string | null): void {
    if (this.#closed) return;
    const alone = name !== null && (isObjectFile(name) || this.#dirs.includes(join(folder, name)));
    if (!alone && event === "change") return;
    if (!alone) this.#unwatchBelow(folder, name);
    void this.#want(alone ? [join(folder, name)] : "all");
  }

  /** What is no longer the folder that we watched is watched anew by the look that follows; a folder tells of its own end by its own name. */
  #unwatchBelow(folder: string, name: string | null): void {
    const gone = name === null || name === basename(folder) ? folder : join(folder, name);
    for (const [path, watcher] of this.#folders) if (path === gone || path.startsWith(`${gone}/`)) this.#unwatch(path, watcher);
  }

  /** One timer of a sort; what is set stays. */
  #later(sort: "settle" | "tell" | "rescan", wait: number, act: () => Promise<void>): void {
    if (this.#closed || this.#timers.has(sort)) return;
    const fire = (): void => {
      this.#timers.delete(sort);
      void act();
    };
    this.#timers.set(sort, setTimeout(fire, wait));
  }
}

/** The folder to watch for a path that is a file, or that is not there. */
async function folderOf(path: string): Promise<string> {
  const status = await stat(path).catch(() => undefined);
  return status?.isDirectory() === true ? path : dirname(path);
}
