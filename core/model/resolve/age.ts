import { compareText } from "#core/lib/compare.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** Oldest first; objects of one age by name, then namespace (istio `model/config.go` configCompareByCreationTime). */
export function compareAge(a: SourceObject, b: SourceObject): number {
  return a.created - b.created || compareText(a.key.name, b.key.name) || compareText(a.key.namespace, b.key.namespace);
}
