/** Where validators put what they find. `field` is a path as the object's YAML spells it; without a message there is nothing to report. */
export interface Findings {
  /** The object is refused. */
  error(field: string, message: string | undefined): void;
  /** The object counts, but does not do what its author meant. */
  warning(field: string, message: string | undefined): void;
}

/** One thing that is wrong with an object. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly field: string;
  readonly message: string;
}

/** Findings that are kept in a list. */
export function collect(list: Finding[]): Findings {
  const add = (severity: Finding["severity"], field: string, message: string | undefined): void => {
    if (message !== undefined) list.push({ severity, field, message });
  };
  return {
    error: (field, message) => add("error", field, message),
    warning: (field, message) => add("warning", field, message),
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
