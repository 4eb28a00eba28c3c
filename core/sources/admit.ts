import type { Registry } from "@bufbuild/protobuf";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { isIstioKind } from "./decode/catalog.ts";
import { decode, expandList } from "./decode.ts";
import type { Origin, SourceObject } from "./object.ts";
import { validate } from "./validate.ts";

/** One document of a source as it was read, a `List` included. A source that reads a document again unchanged gives the same one. */
export interface SourceDocument {
  readonly value: unknown;
  readonly origin?: Origin;
}

export interface AdmitOptions {
  /** Cluster id of the source. */
  readonly cluster: string;
  /** Do Istio's own objects count there? They do in the config cluster alone, in others they are passed over. Default: true. */
  readonly istio?: boolean;
  /** Which objects have an earlier good form: they keep their place in the count of ages when their present form is refused. */
  readonly hasGood?: (key: ObjectKey) => boolean;
  /** Envoy's messages, to judge the values of EnvoyFilters by. */
  readonly types?: () => Registry;
}

/** What a source's documents hold. */
export interface Admitted {
  /** Every valid object once, in the order of the documents. */
  readonly objects: readonly SourceObject[];
  /** Objects that are there but not valid: whoever has an earlier good form of them keeps it. */
  readonly refused: readonly ObjectKey[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decodes and validates the documents of one cluster, in order of sorted paths and documents, and gives each Istio object without a timestamp its age:
 * one second after the admitted one before it (DESIGN 5). Of several documents for one object the first valid one counts: a broken double breaks nothing.
 */
export function admit(documents: readonly SourceDocument[], options: AdmitOptions): Admitted {
  const admission: Admission = { objects: new Map(), refused: new Map(), diagnostics: [], place: 0 };
  for (const document of documents) {
    for (const verdict of examine(document, options)) enter(admission, verdict, document.origin, options.hasGood);
  }
  return { objects: [...admission.objects.values()], refused: [...admission.refused.values()], diagnostics: admission.diagnostics };
}

interface Admission {
  readonly objects: Map<string, SourceObject>;
  readonly refused: Map<string, ObjectKey>;
  readonly diagnostics: Diagnostic[];
  /** How many Istio objects came before. */
  place: number;
}

function enter(admission: Admission, verdict: Verdict, origin: Origin | undefined, hasGood: AdmitOptions["hasGood"]): void {
  const { key, object } = verdict;
  const id = formatObjectKey(key);
  const first = admission.objects.get(id);
  const refusedBefore = admission.refused.has(id);
  if (first !== undefined || (refusedBefore && object === undefined)) {
    admission.diagnostics.push(duplicate(key, first?.origin, origin));
    return;
  }
  admission.diagnostics.push(...verdict.diagnostics);
  const keptPlace = hasGood?.(key) === true;
  if (object === undefined) admission.refused.set(id, key);
  else {
    admission.refused.delete(id);
    admission.objects.set(id, isIstioKind(key.kind) && !verdict.dated ? aged(object, admission.place) : object);
  }
  if (isIstioKind(key.kind) && (object !== undefined ? !(refusedBefore && keptPlace) : keptPlace)) admission.place += 1;
}

interface Verdict {
  readonly key: ObjectKey;
  /** Absent if it was refused. */
  readonly object?: SourceObject;
  readonly dated: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const examined = new WeakMap<SourceDocument, { readonly cluster: string; readonly verdicts: readonly Verdict[] }>();

/** A document that was not read again keeps its identity, and so its verdicts. */
function examine(document: SourceDocument, options: AdmitOptions): readonly Verdict[] {
  const known = examined.get(document);
  if (known?.cluster === options.cluster) return known.verdicts;
  const verdicts = expandList(document.value).flatMap((value) => judge(value, document.origin, options) ?? []);
  examined.set(document, { cluster: options.cluster, verdicts });
  return verdicts;
}

function judge(value: unknown, origin: Origin | undefined, { cluster, types, istio = true }: AdmitOptions): Verdict | undefined {
  const { object, dated, diagnostics } = decode(value, { cluster, ...(origin !== undefined && { origin }) });
  const key = object?.key ?? diagnostics[0]?.key;
  if (key === undefined || (!istio && isIstioKind(key.kind))) return undefined;
  if (object === undefined) return { key, dated, diagnostics };
  const found = validate(object, types);
  const refused = found.some((one) => one.refused);
  return { key, dated, diagnostics: found, ...(!refused && { object }) };
}

const FIRST_AGE = Date.UTC(2026, 0, 1);
const ages = new WeakMap<SourceObject, { readonly place: number; readonly object: SourceObject }>();

/** Keeps its identity as long as its place stays the same. */
function aged(object: SourceObject, place: number): SourceObject {
  const known = ages.get(object);
  if (known?.place === place) return known.object;
  const result = { ...object, created: FIRST_AGE + place * 1000 };
  ages.set(object, { place, object: result });
  return result;
}

function duplicate(key: ObjectKey, first: Origin | undefined, origin: Origin | undefined): Diagnostic {
  const where = first === undefined ? "" : `: ${first.file} line ${first.line} counts`;
  const message = `${key.kind} ${key.namespace}/${key.name} is defined more than once${where}; this document is ignored`;
  return { severity: "error", code: "ALM0001", check: "analysis", refused: false, key, field: "", message, ...origin };
}
