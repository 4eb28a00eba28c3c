import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type Analysis, analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { attempt, type Fault, faultText } from "./attempt.ts";

/** What objects do to each other, as far as it could be told. */
export interface Analyzed {
  /** What the next analysis goes on from; undefined if there never was any. */
  readonly analysis: Analysis | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly faults: readonly unknown[];
}

const CODE = "ALM0603";

/** Analyses a mesh; a fault in that stops nothing else, and what was said before stands. */
export function analyze(mesh: ResolvedMesh, previous: Analysis | undefined): Analyzed {
  const made = attempt(() => analyzeMesh(mesh, previous));
  if ("value" in made) return { analysis: made.value, diagnostics: made.value.diagnostics, faults: NO_FAULTS };
  return { analysis: previous, diagnostics: [...(previous?.diagnostics ?? []), unanalysed(made)], faults: [made.fault] };
}

const NO_FAULTS: readonly unknown[] = [];

function unanalysed(fault: Fault): Diagnostic {
  const key = { cluster: "", kind: "", namespace: "", name: "" };
  const message = `a fault of Almanac's own: what objects do to each other can't be told, what was said of it before stands: ${faultText(fault)}`;
  return { severity: "error", code: CODE, check: "analysis", refused: false, key, field: "", message };
}
