import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { JsonProblem } from "#core/lib/protobuf/from-json.ts";
import { type CatalogEntry, findKind } from "./decode/catalog.ts";
import type { Document } from "./decode/kubernetes.ts";
import { decodeMetadata } from "./decode/metadata.ts";
import type { Origin, SourceObject } from "./object.ts";
import { SCHEMA_ERROR } from "./validate/findings.ts";

/** Where a document comes from. */
export interface DecodeContext {
  /** Cluster id of the source. */
  readonly cluster: string;
  readonly origin?: Origin;
}

export interface Decoded {
  /** Absent: not an object that translation reads, or (with a Diagnostic) one that can't be read. `created` is 0 where it has no timestamp. */
  readonly object?: SourceObject;
  /** The object has a creation timestamp of its own. */
  readonly dated: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Istio's API groups: an object of theirs that no served version knows is a mistake, where one of any other group is simply not ours. */
const ISTIO_GROUP = /^(networking|security|telemetry|extensions)\.istio\.io\//;
const NOTHING: Decoded = { dated: false, diagnostics: [] };

/**
 * Reads one object (not a `List`, see {@link expandList}) in any version that its API group serves, into its projected form.
 * Kinds that translation does not read give nothing. Never throws: what can't be read is a Diagnostic, and the object is left out.
 */
export function decode(document: unknown, context: DecodeContext): Decoded {
  if (!isDocument(document)) return NOTHING;
  const { apiVersion, kind } = document;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || kind === "") return NOTHING;
  const entry = findKind(apiVersion, kind);
  if (entry !== undefined) return decodeKind(document, entry, context);
  return ISTIO_GROUP.test(apiVersion) ? unknownKind(document, { apiVersion, kind }, context) : NOTHING;
}

/** The objects of a document: the items of a `List` (or of a typed list, such as `ServiceList`), else itself. */
export function expandList(document: unknown): readonly unknown[] {
  if (!isDocument(document)) return [];
  const { apiVersion, kind, items } = document;
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return [document];
  if (kind === "List") return items.flatMap(expandList);
  const typed = { apiVersion, kind: kind.slice(0, -"List".length) };
  return items.filter(isDocument).map((item) => ({ ...typed, ...item }));
}

function decodeKind(document: Document, entry: CatalogEntry, context: DecodeContext): Decoded {
  const problems: JsonProblem[] = [];
  const { annotations, created, generateName, labels, name, namespace, owners, revision, uid } = decodeMetadata(document.metadata, problems);
  const key = { cluster: context.cluster, kind: entry.kind, name, namespace: entry.clusterScoped ? "" : namespace || "default" };
  if (name === "") problems.push({ path: "metadata.name", message: "a name is required" });
  const spec = entry.decode(document, problems);
  if (problems.length > 0) {
    return { dated: false, diagnostics: problems.map((problem) => undecodable(key, problem, context.origin)) };
  }
  // Keys in order, `origin` apart, which is no part of an object's form: see core/lib/canonical.ts.
  const form = { annotations, created: created ?? 0, generateName, key, labels, owners, revision, spec, uid };
  const object = context.origin === undefined ? form : { ...form, origin: context.origin };
  return { object, dated: created !== undefined, diagnostics: [] };
}

function unknownKind(document: Document, served: { apiVersion: string; kind: string }, context: DecodeContext): Decoded {
  const { name, namespace } = decodeMetadata(document.metadata, []);
  const key = { cluster: context.cluster, kind: served.kind, namespace: namespace || "default", name };
  const message = `no such kind: ${served.kind} in ${served.apiVersion}`;
  return { dated: false, diagnostics: [undecodable(key, { path: "apiVersion", message }, context.origin)] };
}

function undecodable(key: Diagnostic["key"], problem: JsonProblem, origin: Origin | undefined): Diagnostic {
  const { path: field, message } = problem;
  return { severity: "error", code: SCHEMA_ERROR, check: "validation", refused: true, key, field, message, ...origin };
}

function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
