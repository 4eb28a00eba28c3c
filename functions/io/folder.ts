import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { SourceDocument } from "#core/sources/admit.ts";
import { parseYaml } from "./yaml.ts";

export interface FolderContent {
  /** In order of sorted paths and documents. */
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads every YAML and JSON file of the folders (files are accepted too) and those below them. Throws what the file system throws for a folder given. */
export function readFolder(dirs: readonly string[], cluster: string): FolderContent {
  const documents: SourceDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of dirs.flatMap(listFiles)) {
    const read = readFile(file, cluster);
    documents.push(...read.documents);
    diagnostics.push(...read.diagnostics);
  }
  return { documents, diagnostics };
}

/** Paths of the object files below a folder, sorted; hidden files and folders (a ConfigMap volume's `..data`) and editors' temporary files are passed over. */
export function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return walk(path).sort(compareText);
}

/** The documents of one file; one that can't be read gives none of them and a Diagnostic, a broken document is left out. */
export function readFile(file: string, cluster: string): FolderContent {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { documents: [], diagnostics: [unreadable(cluster, file, 0, error instanceof Error ? error.message : String(error))] };
  }
  const { documents, problems } = parseYaml(text);
  return {
    documents: documents.map(({ value, line }) => ({ value, origin: { file, line } })),
    diagnostics: problems.map(({ line, message }) => unreadable(cluster, file, line, message)),
  };
}

function walk(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".")) return [];
    const path = join(dir, entry.name);
    if (isFolder(path, entry)) return walk(path);
    return isObjectFile(entry.name) ? [path] : [];
  });
}

function isFolder(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isObjectFile(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name) && !name.startsWith("#");
}

function unreadable(cluster: string, file: string, line: number, message: string): Diagnostic {
  const key = { cluster, kind: "", namespace: "", name: "" };
  return { severity: "error", code: "ALM0002", check: "validation", refused: true, key, field: "", message, file, line };
}
