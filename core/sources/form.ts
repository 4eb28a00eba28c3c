import { canonicalText } from "#core/lib/canonical.ts";
import { digestOf } from "#core/lib/digest.ts";
import type { Origin, SourceObject } from "./object.ts";

/** An object without where it was read: what it is stored and compared by. */
export function formOf(object: SourceObject): Omit<SourceObject, "origin"> {
  if (object.origin === undefined) return object;
  const { origin, ...form } = object;
  return form;
}

const digests = new WeakMap<SourceObject, string>();

/** Names an object's form: equal digests mean equal objects, wherever they were read. */
export function objectDigest(object: SourceObject): string {
  const known = digests.get(object);
  if (known !== undefined) return known;
  const digest = digestOf(canonicalText(formOf(object)));
  digests.set(object, digest);
  return digest;
}

/** Are two objects equal, and read at the same place? Then one can stand for the other. */
export function sameForm(a: SourceObject, b: SourceObject): boolean {
  return a === b || (sameOrigin(a.origin, b.origin) && a.created === b.created && objectDigest(a) === objectDigest(b));
}

function sameOrigin(a: Origin | undefined, b: Origin | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.file === b.file && a.line === b.line);
}
