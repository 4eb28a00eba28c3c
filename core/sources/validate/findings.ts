/** Where validators put what they find. `field` is a path as the object's YAML spells it; without a message there is nothing to report. */
export interface Findings {
  /** The object is refused. */
  error(field: string, message: string | undefined): void;
  /** The object counts, but does not do what its author meant; `code` where Istio's analysis has one of its own for that. */
  warning(field: string, message: string | undefined, code?: string): void;
}

/** One thing that is wrong with an object. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

/** Codes of Istio's analysis (`pkg/config/analysis/msg/messages.yaml`). */
export const SCHEMA_ERROR = "IST0106";
const SCHEMA_WARNING = "IST0133";

/** Findings that are kept in a list. */
export function collect(list: Finding[]): Findings {
  return {
    error: (field, message) => {
      if (message !== undefined) list.push({ severity: "error", code: SCHEMA_ERROR, field, message });
    },
    warning: (field, message, code = SCHEMA_WARNING) => {
      if (message !== undefined) list.push({ severity: "warning", code, field, message });
    },
  };
}

/** Errors alone: Istio drops the warnings of parts whose verdict passes through a plain error. */
export function errorsOnly(findings: Findings): Findings {
  return { error: findings.error, warning: () => {} };
}

/** The path of a map's entry: `labels.app`, or `labels[a/b]` for keys that are no plain word. */
export function entryPath(path: string, key: string): string {
  return /^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${key}]`;
}
