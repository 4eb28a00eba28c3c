import type { Findings } from "./findings.ts";
import { isDnsLabel } from "./names.ts";

/** Who may see an object: `.` its own namespace, `*` all, `~` nobody (ServiceEntries alone), else a namespace (istio validateExportTo). */
export interface ExportRules {
  readonly namespace: string;
  /** `~` is allowed. */
  readonly toNobody?: boolean;
  /** A DestinationRule with a workload selector stays in its namespace. */
  readonly staysHome?: boolean;
}

export function checkExportTo(exportTo: readonly string[], rules: ExportRules, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, entry] of exportTo.entries()) {
    const path = `spec.exportTo[${index}]`;
    const scope = entry === "." ? rules.namespace : entry;
    const problem = seen.has(scope) ? `"${entry}" is there already` : scopeProblem(scope, rules.toNobody === true);
    findings.error(path, problem);
    if (problem === undefined) seen.add(scope);
  }
  if (rules.staysHome === true && seen.size > 0 && !(seen.size === 1 && seen.has(rules.namespace))) {
    findings.error("spec.exportTo", "a DestinationRule with a workload selector can't be exported beyond its own namespace");
  }
  if (exportTo.length > 1 && seen.has("*")) findings.error("spec.exportTo", "* (everybody) leaves no place for other entries");
  if (exportTo.length > 1 && seen.has("~")) findings.error("spec.exportTo", "~ (nobody) leaves no place for other entries");
}

function scopeProblem(scope: string, toNobody: boolean): string | undefined {
  if (scope === "*" || scope === ".") return undefined;
  if (scope === "~") return toNobody ? undefined : "~ (nobody) is only for ServiceEntries";
  return isDnsLabel(scope) ? undefined : `"${scope}" is neither ".", "*" nor the name of a namespace`;
}
