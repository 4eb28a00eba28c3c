import { type DocumentOptions, LineCounter, type ParseOptions, parseDocument, type SchemaOptions, type Tags } from "yaml";

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
 * `yes` and `no` are booleans, `0777` is octal, timestamps and `1:30` stay text, a key given twice has its last value.
 * A document that can't be read is a problem, its neighbours are returned.
 */
export function parseYaml(text: string): Parsed {
  const results = splitYaml(text).map(parsePart);
  return { documents: results.flatMap((one) => one.document ?? []), problems: results.flatMap((one) => one.problem ?? []) };
}

/** One document's text. */
export interface YamlPart {
  readonly text: string;
  /** Line of the file at which the part begins, from 1. */
  readonly line: number;
}

/** Reads one document; an empty one gives neither a document nor a problem. */
export function parsePart({ text, line: start }: YamlPart): { readonly document?: ParsedDocument; readonly problem?: ParseProblem } {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
  const error = document.errors[0];
  if (error !== undefined) {
    return { problem: { line: start + (error.linePos?.[0].line ?? 1) - 1, message: error.message.split("\n")[0] ?? "" } };
  }
  const line = start + lines.linePos(document.contents?.range?.[0] ?? 0).line - 1;
  try {
    const value: unknown = document.toJS({ mapAsMap: false, maxAliasCount: 1000 });
    return value === null || value === undefined ? {} : { document: { value, line } };
  } catch (error) {
    return { problem: { line, message: error instanceof Error ? error.message : String(error) } };
  }
}

/** Cuts a file into its documents. A line that begins with `---` always starts a document: no block scalar reaches column 0. */
export function splitYaml(file: string): readonly YamlPart[] {
  const text = file.startsWith("\uFEFF") ? file.slice(1) : file;
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

const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;

/** go-yaml's `resolve.go`, which decides by text alone what a plain scalar is. */
const TAGS: Tags = [
  "merge",
  { identify: (value) => value === null, tag: "tag:yaml.org,2002:null", default: true, test: /^(?:~|null|Null|NULL)?$/, resolve: () => null },
  {
    identify: (value) => typeof value === "boolean",
    tag: "tag:yaml.org,2002:bool",
    default: true,
    test: TRUE,
    resolve: (text: string) => TRUE.test(text),
  },
  { tag: "tag:yaml.org,2002:bool", default: true, test: FALSE, resolve: (text: string) => TRUE.test(text) },
  {
    tag: "tag:yaml.org,2002:int",
    default: true,
    test: /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|[1-9][0-9_]*|0)$/,
    resolve: readInteger,
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^[-+]?(?:\.[0-9_]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/,
    resolve: (text: string) => Number(text.replaceAll("_", "")),
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^[-+]?\.(?:inf|Inf|INF)$/,
    resolve: (text: string) => (text.startsWith("-") ? -Infinity : Infinity),
  },
  { tag: "tag:yaml.org,2002:float", default: true, test: /^\.(?:nan|NaN|NAN)$/, resolve: () => Number.NaN },
];

function readInteger(text: string): number {
  const plain = text.replaceAll("_", "").toLowerCase();
  const digits = plain.replace(/^[-+]/, "");
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return plain.startsWith("-") ? -value : value;
}

const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: "failsafe",
  customTags: TAGS,
  merge: true,
  uniqueKeys: false,
  strict: true,
  logLevel: "silent",
  prettyErrors: true,
};
