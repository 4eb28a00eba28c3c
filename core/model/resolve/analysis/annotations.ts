import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { entryPath } from "#core/sources/validate/findings.ts";
import { KNOWN_ANNOTATIONS, WRITTEN_BY_ISTIO } from "./annotation-table.ts";
import { annotationProblem } from "./annotation-values.ts";
import { diagnose, listText, type Remark } from "./diagnose.ts";

/** Istio's annotations on objects of Kubernetes: unknown, deprecated, misplaced or wrong ones (istio `analyzers/annotations/annotations.go`). */
export const checkAnnotations = memoize((objects: readonly SourceObject[]): readonly Diagnostic[] => objects.flatMap(annotationDiagnostics));

/** Those of one object. */
export function annotationDiagnostics(object: SourceObject): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const name in object.annotations) {
    if (!isIstios(name) || WRITTEN_BY_ISTIO.has(name)) continue;
    const field = entryPath("metadata.annotations", name);
    for (const remark of remarksOn(object, name, object.annotations[name] ?? "")) found.push(...diagnose(object, { ...remark, field }));
  }
  return found;
}

function isIstios(name: string): boolean {
  return name === "kubernetes.io/ingress.class" || (name.split("/")[0] ?? "").endsWith("istio.io");
}

const INJECT = "sidecar.istio.io/inject";

function remarksOn(object: SourceObject, name: string, value: string): readonly Omit<Remark, "field">[] {
  const known = KNOWN_ANNOTATIONS.get(name);
  if (known === undefined) return [{ severity: "warning", code: "IST0108", message: `Istio knows no annotation "${name}": it has no effect` }];
  const found: Omit<Remark, "field">[] = [];
  if (known.deprecated && !(name === INJECT && object.labels[INJECT] !== undefined)) {
    const instead = name === INJECT ? `; use the label of the same name` : "";
    found.push({ severity: "info", code: "IST0135", message: `"${name}" is deprecated and may stop working in a later release of Istio${instead}` });
  }
  if (known.kinds !== undefined && !known.kinds.includes(object.key.kind)) {
    const message = `"${name}" means something on objects of kind ${listText(known.kinds)} only${object.key.kind === "Deployment" ? " (for Pods: in the template)" : ""}`;
    return [...found, { severity: "warning", code: "IST0107", message }];
  }
  const problem = annotationProblem(name, value);
  return problem === undefined
    ? found
    : [...found, { severity: "warning", code: "IST0125", message: `"${value}" is no value for "${name}": ${problem}` }];
}
