import { compareText } from "./compare.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** A diagnostic as it is shown, printed and served (DESIGN 9); a stable interface. */
export interface PrintedDiagnostic {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  readonly check: Diagnostic["check"];
  readonly refused: boolean;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly field: string;
  readonly message: string;
  /** "" where it is not known. */
  readonly file: string;
  /** 0 where it is not known. */
  readonly line: number;
}

/** Diagnostics as they are shown, sorted by severity, object and field, so that two runs show the same. */
export function printedDiagnostics(diagnostics: readonly Diagnostic[]): readonly PrintedDiagnostic[] {
  return [...diagnostics].sort(compareDiagnostics).map(printed);
}

const RANK: Readonly<Record<Diagnostic["severity"], number>> = { error: 0, warning: 1, info: 2 };

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return RANK[a.severity] - RANK[b.severity] || compareText(orderOf(a), orderOf(b));
}

function orderOf({ key, code, field, message }: Diagnostic): string {
  return [key.cluster, key.namespace, key.kind, key.name, code, field, message].join("\0");
}

/** Gateway API's Gateway is told apart inside Almanac; users know it by its own name. */
function printed({ key, code, severity, check, refused, field, message, file, line }: Diagnostic): PrintedDiagnostic {
  const kind = key.kind === "KubernetesGateway" ? "Gateway" : key.kind;
  return { code, severity, check, refused, kind, namespace: key.namespace, name: key.name, field, message, file: file ?? "", line: line ?? 0 };
}
