import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { printYaml } from "../io/yaml.ts";

export type DiagnosticFormat = "log" | "json" | "yaml";

/** One diagnostic as `analyze` prints it (DESIGN 9); a stable interface. */
interface Printed {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  readonly check: Diagnostic["check"];
  readonly refused: boolean;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly field: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

/** Text of diagnostics, sorted by severity, object and field, so that two runs print the same. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], format: DiagnosticFormat): string {
  const printed = [...diagnostics].sort(compareDiagnostics).map(toPrinted);
  if (format === "json") return `${JSON.stringify(printed, undefined, 2)}\n`;
  if (format === "yaml") return printYaml(printed);
  return printed.map(logLine).join("");
}

const RANK: Readonly<Record<Diagnostic["severity"], number>> = { error: 0, warning: 1, info: 2 };

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return RANK[a.severity] - RANK[b.severity] || compareText(orderOf(a), orderOf(b));
}

function orderOf({ key, code, field, message }: Diagnostic): string {
  return [key.cluster, key.namespace, key.kind, key.name, code, field, message].join("\0");
}

/** Gateway API's Gateway is told apart inside Almanac; users know it by its own name. */
function toPrinted({ key, code, severity, check, refused, field, message, file, line }: Diagnostic): Printed {
  const kind = key.kind === "KubernetesGateway" ? "Gateway" : key.kind;
  return { code, severity, check, refused, kind, namespace: key.namespace, name: key.name, field, message, file: file ?? "", line: line ?? 0 };
}

function logLine({ code, severity, kind, namespace, name, field, message, file, line }: Printed): string {
  const object = kind === "" ? "" : ` (${kind} ${namespace === "" ? name : `${namespace}/${name}`})`;
  const where = file === "" ? "" : ` ${file}:${line}`;
  return `${severity[0]?.toUpperCase()}${severity.slice(1)} [${code}]${object}${where}${field === "" ? "" : ` ${field}`}: ${message}\n`;
}
