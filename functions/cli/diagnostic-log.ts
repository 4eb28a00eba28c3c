import { type Diagnostic, findingText } from "#core/lib/diagnostic.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import type { Level, Log } from "../io/log.ts";

const LEVELS: Readonly<Record<Diagnostic["severity"], Level>> = { error: "error", warning: "warn", info: "debug" };

/** Logs what is newly wrong; what was told before is not repeated until it went away, and hints are for who wants to see everything. */
export function diagnosticLog(log: Log): (diagnostics: readonly Diagnostic[]) => void {
  let told: ReadonlySet<string> = new Set();
  return (diagnostics) => {
    const present = new Map(diagnostics.map((one) => [findingText(one), one]));
    for (const [text, one] of present) if (!told.has(text)) tell(log, one);
    told = new Set(present.keys());
  };
}

function tell(log: Log, { code, severity, key, field, message, file, line }: Diagnostic): void {
  log[LEVELS[severity]](message, { code, object: key.kind === "" ? undefined : formatObjectKey(key), field: field || undefined, file, line });
}
