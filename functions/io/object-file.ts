import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { SourceDocument } from "#core/sources/admit.ts";
import { reasonOf } from "./file-error.ts";
import { parsePart, splitYaml } from "./yaml.ts";

/** What one file of objects holds. */
export interface FileContent {
  /** In the order of the file. */
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** All of it could be read, now or at an earlier look. */
  readonly complete: boolean;
  /** Documents by where they begin and what they say, so that what did not change is not read again. */
  readonly parts: ReadonlyMap<string, readonly SourceDocument[]>;
}

export interface FileOptions {
  readonly file: string;
  /** Cluster id of the source. */
  readonly cluster: string;
  /** What the file held before. */
  readonly previous?: FileContent;
}

/**
 * Reads the documents of a file, YAML or JSON. A broken document is a Diagnostic; what the file held before stays as it was then, since nobody can tell
 * which objects the broken one holds. Without a before, the other documents count.
 */
export function readContent(text: string, options: FileOptions): FileContent {
  const { file, cluster, previous } = options;
  const parts = new Map<string, readonly SourceDocument[]>();
  const diagnostics: Diagnostic[] = [];
  for (const part of splitYaml(text)) {
    const id = `${part.line}\n${part.text}`;
    const known = previous?.parts.get(id);
    if (known !== undefined) {
      parts.set(id, known);
      continue;
    }
    const { documents, problem } = parsePart(part);
    const read = documents.map(({ value, line }) => ({ value, origin: { file, line } }));
    if (problem === undefined) parts.set(id, read);
    else diagnostics.push(unreadable({ cluster, file, line: problem.line }, problem.message));
  }
  if (diagnostics.length > 0 && previous !== undefined) return { ...previous, diagnostics };
  return { documents: [...parts.values()].flat(), diagnostics, complete: diagnostics.length === 0, parts };
}

/** A file that can't be read at all keeps what it held before. */
export function unreadableContent(error: unknown, options: FileOptions): FileContent {
  const { file, cluster, previous } = options;
  return { documents: [], complete: false, parts: new Map(), ...previous, diagnostics: [unreadable({ cluster, file }, reasonOf(error))] };
}

interface Place {
  readonly cluster: string;
  readonly file: string;
  readonly line?: number;
}

/** A file or folder can't be read; what is known of it from before still counts. */
export function unreadable({ cluster, file, line }: Place, message: string): Diagnostic {
  const key = { cluster, kind: "", namespace: "", name: "" };
  const position = line === undefined ? {} : { line };
  return { severity: "error", code: "ALM0002", check: "validation", refused: true, key, field: "", message, file, ...position };
}
