import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type PrintedDiagnostic, printedDiagnostics } from "#core/lib/printed-diagnostic.ts";
import { printYaml } from "../io/yaml.ts";

export type DiagnosticFormat = "log" | "json" | "yaml";

/** Text of diagnostics, in one order whatever theirs. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], format: DiagnosticFormat): string {
  const printed = printedDiagnostics(diagnostics);
  if (format === "json") return `${JSON.stringify(printed, undefined, 2)}\n`;
  if (format === "yaml") return printYaml(printed);
  return printed.map(logLine).join("");
}

function logLine({ code, severity, kind, namespace, name, field, message, file, line }: PrintedDiagnostic): string {
  const object = kind === "" ? "" : ` (${kind} ${namespace === "" ? name : `${namespace}/${name}`})`;
  const where = file === "" ? "" : ` ${file}:${line}`;
  return `${severity[0]?.toUpperCase()}${severity.slice(1)} [${code}]${object}${where}${field === "" ? "" : ` ${field}`}: ${message}\n`;
}
