import type { Registry } from "@bufbuild/protobuf";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { catalogEntry } from "./decode/catalog.ts";
import { decode, expandList } from "./decode.ts";
import type { Origin, SourceObject } from "./object.ts";
import { validate } from "./validate.ts";

/** One document of a source as it was read, a `List` included. */
export interface SourceDocument {
  readonly value: unknown;
  readonly origin?: Origin;
}

export interface AdmitOptions {
  /** Cluster id of the source. */
  readonly cluster: string;
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

const FIRST_AGE = Date.UTC(2026, 0, 1);

/**
 * Decodes and validates the documents of one cluster, in order of sorted paths and documents, and gives each Istio object without a timestamp its age:
 * one second after the admitted one before it (DESIGN 5). Of several documents for one object the first counts.
 */
export function admit(documents: readonly SourceDocument[], options: AdmitOptions): Admitted {
  const { cluster, types, hasGood = () => false } = options;
  const objects = new Map<string, SourceObject>();
  const refused = new Map<string, ObjectKey>();
  const diagnostics: Diagnostic[] = [];
  let place = 0;
  for (const document of documents) {
    for (const verdict of examine(document, cluster, types)) {
      const key = verdict.object?.key ?? verdict.diagnostics[0]?.key;
      if (key === undefined) continue;
      const id = formatObjectKey(key);
      const first = objects.get(id);
      if (first !== undefined || refused.has(id)) {
        diagnostics.push(duplicate(key, first?.origin, document.origin));
        continue;
      }
      diagnostics.push(...verdict.diagnostics);
      const istio = verdict.object === undefined || catalogEntry(verdict.object.key.kind).istio;
      if (verdict.object !== undefined && !verdict.refused) objects.set(id, istio && !verdict.dated ? aged(verdict.object, place) : verdict.object);
      else refused.set(id, key);
      if (istio && (!verdict.refused || hasGood(key))) place += 1;
    }
  }
  return { objects: [...objects.values()], refused: [...refused.values()], diagnostics };
}

interface Verdict {
  readonly object?: SourceObject;
  readonly dated: boolean;
  readonly refused: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const examined = new WeakMap<SourceDocument, { readonly cluster: string; readonly verdicts: readonly Verdict[] }>();

/** A document that was not read again keeps its identity, and so its verdicts. */
function examine(document: SourceDocument, cluster: string, types: AdmitOptions["types"]): readonly Verdict[] {
  const known = examined.get(document);
  if (known !== undefined && known.cluster === cluster) return known.verdicts;
  const context = document.origin === undefined ? { cluster } : { cluster, origin: document.origin };
  const verdicts = expandList(document.value).map((value): Verdict => {
    const { object, dated, diagnostics } = decode(value, context);
    if (object === undefined) return { dated, refused: true, diagnostics };
    const found = validate(object, types);
    return { object, dated, refused: found.some((one) => one.refused), diagnostics: found };
  });
  examined.set(document, { cluster, verdicts });
  return verdicts;
}

const ages = new WeakMap<SourceObject, { readonly place: number; readonly object: SourceObject }>();

/** Keeps its identity as long as its place stays the same. */
function aged(object: SourceObject, place: number): SourceObject {
  const known = ages.get(object);
  if (known !== undefined && known.place === place) return known.object;
  const result = { ...object, created: FIRST_AGE + place * 1000 };
  ages.set(object, { place, object: result });
  return result;
}

function duplicate(key: ObjectKey, first: Origin | undefined, origin: Origin | undefined): Diagnostic {
  const where = first === undefined ? "" : `: ${first.file} line ${first.line} counts`;
  const message = `${key.kind} ${key.namespace}/${key.name} is defined more than once${where}; this document is ignored`;
  return { severity: "error", code: "ALM0001", check: "analysis", refused: false, key, field: "", message, ...origin };
}
