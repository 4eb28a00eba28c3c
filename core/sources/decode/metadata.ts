import type { JsonProblem } from "#core/lib/protobuf/from-json.ts";
import type { SourceObject } from "../object.ts";
import { flag, listOf, looseText, mapOf, object, shared, text } from "./shape.ts";

/** An object's `metadata`, projected. */
export interface Metadata extends Pick<SourceObject, "uid" | "revision" | "labels" | "annotations" | "owners" | "generateName"> {
  readonly name: string;
  readonly namespace: string;
  /** Milliseconds since the epoch; undefined without a timestamp. */
  readonly created: number | undefined;
}

const shape = object({
  name: looseText,
  namespace: shared(looseText),
  uid: looseText,
  resourceVersion: looseText,
  generateName: looseText,
  creationTimestamp: text,
  labels: shared(mapOf(looseText)),
  annotations: mapOf(looseText),
  ownerReferences: listOf(object({ kind: text, name: text, controller: flag })),
});

/** Reads `metadata`; `undefined` reads as an empty one. */
export function decodeMetadata(value: unknown, problems: JsonProblem[]): Metadata {
  const { resourceVersion, creationTimestamp, ownerReferences, ...metadata } = shape(value, "metadata", problems);
  return { ...metadata, revision: resourceVersion, owners: ownerReferences, created: readTime(creationTimestamp, problems) };
}

function readTime(value: string, problems: JsonProblem[]): number | undefined {
  if (value === "") return undefined;
  const millis = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(millis)) return millis;
  problems.push({ path: "metadata.creationTimestamp", message: `expected an RFC 3339 time, found "${value}"` });
  return undefined;
}
