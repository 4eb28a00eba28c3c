import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { SourceDocument } from "#core/sources/admit.ts";
import { type FileContent, readContent, unreadableContent } from "./object-file.ts";
import { isObjectFile, isObjectFolder } from "./object-names.ts";

/** What folders of objects hold. */
export interface FolderContent {
  /** Folder by folder, each in order of sorted paths and documents. */
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every folder could be listed, now or at an earlier look. */
  readonly listed: boolean;
  /** And every file could be read: what is not in the documents is not there. */
  readonly complete: boolean;
}

/** Reads every YAML and JSON file of the folders (files are accepted too) and those below them. Throws what the file system throws for a folder given. */
export function readFolder(dirs: readonly string[], cluster: string): FolderContent {
  return joinContents([...new Set(dirs.flatMap(listFiles))].map((file) => readFile(file, cluster)));
}

/** What files hold together, all of whose folders could be listed. */
export function joinContents(contents: readonly FileContent[]): FolderContent {
  return {
    documents: contents.flatMap((one) => one.documents),
    diagnostics: contents.flatMap((one) => one.diagnostics),
    listed: true,
    complete: contents.every((one) => one.complete),
  };
}

function readFile(file: string, cluster: string): FileContent {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return unreadableContent(error, { file, cluster });
  }
  return readContent(text, { file, cluster });
}

/** Paths of the object files below a folder, sorted; the path itself if it is a file. */
function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return walk(path, new Set()).sort(compareText);
}

/** Links are followed, but no folder is entered twice on the way down. */
function walk(dir: string, above: ReadonlySet<string>): string[] {
  const real = realpathSync(dir);
  if (above.has(real)) return [];
  const within = new Set(above).add(real);
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    const folder = isObjectFolder(entry.name) && (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(path)));
    if (folder) return walk(path, within);
    return isObjectFile(entry.name) ? [path] : [];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
