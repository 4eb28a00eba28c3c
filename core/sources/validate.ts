import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { SourceObject } from "./object.ts";

/** What Istio's admission says of one object alone; an entry with `refused` leaves it out. */
export function validate(_object: SourceObject): readonly Diagnostic[] {
  return [];
}
