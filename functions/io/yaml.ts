import {
  type DocumentOptions,
  isAlias,
  isMap,
  isSeq,
  LineCounter,
  type ParseOptions,
  parseDocument,
  Scalar,
  type ScalarTag,
  type SchemaOptions,
  stringify,
} from "yaml";
import { mendFlows } from "./yaml-flows.ts";
import { GO_SCALARS } from "./yaml-scalars.ts";
import { COLLECTION_TAGS, SCALAR_TAGS } from "./yaml-tags.ts";

/** One document of a file; `line` (from 1) is where its content starts. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly line: number;
}

export interface ParseProblem {
  readonly line: number;
  readonly message: string;
}

export interface Parsed {
  readonly documents: readonly ParsedDocument[];
  readonly problems: readonly ParseProblem[];
}

/**
 * Reads YAML 1.1 of several documents (JSON is a part of it) as Kubernetes and Istio do (`sigs.k8s.io/yaml` over go-yaml v2): bare `y`, `n`, `on`, `off`,
 * `yes` and `no` are booleans, `0777` is octal, timestamps and `1:30` stay text, a key given twice has its last value, `!!binary` is text.
 * A document that can't be read is a problem, its neighbours are returned.
 */
export function parseYaml(text: string): Parsed {
  const results = splitYaml(text).map(parsePart);
  return { documents: results.flatMap((one) => one.documents), problems: results.flatMap((one) => one.problem ?? []) };
}

/** Writes a value as one document. */
export function printYaml(value: unknown): string {
  return stringify(value);
}

/** One document's text. */
export interface YamlPart {
  readonly text: string;
  /** Line of the file at which the part begins, from 1. */
  readonly line: number;
}

/** What one document's text holds: nothing if it is empty, several if it is a list of objects, so that each has its own line. */
export interface ParsedPart {
  readonly documents: readonly ParsedDocument[];
  readonly problem?: ParseProblem;
}

/** Reads one document. */
export function parsePart(part: YamlPart): ParsedPart {
  const json = part.text.trimStart().startsWith("{") ? parseJson(part) : undefined;
  return json ?? parseDocumentPart(part);
}

/** JSON is read many times faster as such; undefined if it isn't (flow style looks alike). */
function parseJson({ text, line }: YamlPart): ParsedPart | undefined {
  try {
    const blank = text.length - text.trimStart().length;
    return { documents: [{ value: JSON.parse(text), line: line + text.slice(0, blank).split("\n").length - 1 }] };
  } catch {
    return undefined;
  }
}

function parseDocumentPart(part: YamlPart): ParsedPart {
  const found = parseBlocks(part);
  if (found.problem === undefined) return found;
  const again = parseBlocks({ ...part, text: mendFlows(part.text) });
  return again.problem === undefined ? again : found;
}

function parseBlocks({ text, line: start }: YamlPart): ParsedPart {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
  const error = document.errors[0];
  if (error !== undefined) {
    return { documents: [], problem: { line: start + lines.linePos(error.pos[0]).line - 1, message: error.message } };
  }
  const lineOf = (node: Positioned | null): number => start + lines.linePos(node?.range?.[0] ?? 0).line - 1;
  try {
    const value: unknown = document.toJS({ mapAsMap: false, maxAliasCount: 1000 });
    if (value === null || value === undefined) return { documents: [] };
    const items = isMap(document.contents) ? document.contents.get("items") : undefined;
    const itemLines = isSeq(items) ? items.items.map((item) => lineOf(item as Positioned)) : [];
    return { documents: itemDocuments(value, itemLines) ?? [{ value, line: lineOf(document.contents) }] };
  } catch (error) {
    return { documents: [], problem: { line: lineOf(document.contents), message: error instanceof Error ? error.message : String(error) } };
  }
}

interface Positioned {
  readonly range?: readonly number[] | null | undefined;
}

/** A list of objects as one list for each; undefined if it is none. */
function itemDocuments(value: object, lines: readonly number[]): readonly ParsedDocument[] | undefined {
  const { kind, items, ...head } = value as { readonly kind?: unknown; readonly items?: unknown };
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items) || items.length !== lines.length) return undefined;
  return items.map((item: unknown, index) => ({ value: { ...head, kind, items: [item] }, line: lines[index] ?? 0 }));
}

/**
 * Cuts a file into its documents. A line that begins with `---` always starts a document: no block scalar reaches column 0. Lines may end as Windows
 * ends them, which YAML reads as a line's end like any other.
 */
export function splitYaml(file: string): readonly YamlPart[] {
  const text = (file.startsWith("\uFEFF") ? file.slice(1) : file).replaceAll("\r\n", "\n");
  const parts: YamlPart[] = [];
  let lines: string[] = [];
  let start = 1;
  const all = text.split("\n");
  for (const [index, line] of all.entries()) {
    if (/^---(\s|$)/.test(line)) {
      parts.push({ text: lines.join("\n"), line: start });
      lines = [line.slice(3)];
      start = index + 1;
    } else if (/^\.\.\.\s*$/.test(line)) {
      lines.push("");
    } else {
      lines.push(line);
    }
  }
  parts.push({ text: lines.join("\n"), line: start });
  return parts.filter((part) => part.text.trim() !== "");
}

type AddToMap = NonNullable<Scalar["addToJSMap"]>;

/**
 * A key `<<` in its place among the others: what it merges wins over keys before it and yields to those after it; of a list of maps the first wins (go-yaml v2
 * `decode.go` merge). YAML 1.1, and the library's own tag, let a map's own keys win wherever they stand.
 */
const MERGE: ScalarTag = {
  tag: "tag:yaml.org,2002:merge",
  default: "key",
  test: /^<<$/,
  resolve: () => Object.assign(new Scalar("<<"), { addToJSMap: mergeInto }),
};

/** A key must be told apart by text. */
const NO_KEY: ScalarTag = {
  tag: "tag:yaml.org,2002:null",
  default: "key",
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: (_, onError) => onError("a key can't be null"),
};

function mergeInto(context: Parameters<AddToMap>[0], map: Parameters<AddToMap>[1], value: unknown): void {
  const sources = isSeq(value) ? value.items.toReversed() : [value];
  for (const source of sources) {
    const node = isAlias(source) && context !== undefined ? source.resolve(context.doc, context) : source;
    if (!isMap(node)) throw new Error("what << merges must be a map, or a list of maps");
    // No assignment: a key may be called "__proto__".
    for (const [key, merged] of Object.entries(node.toJSON(null, context) as object)) {
      Object.defineProperty(map, key, { value: merged, writable: true, enumerable: true, configurable: true });
    }
  }
}

const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: "failsafe",
  customTags: [MERGE, NO_KEY, ...GO_SCALARS, ...SCALAR_TAGS, ...COLLECTION_TAGS],
  uniqueKeys: false,
  strict: true,
  logLevel: "silent",
  // Lines are those of the file, and told beside the message.
  prettyErrors: false,
};
