import { formatObjectKey, type ObjectKey } from "./object-key.ts";

/** Something that a user should know of one object: a value beside the result, never an exception. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "info";
  /** Istio's `IST0101`… where one exists, else `ALM…`. */
  readonly code: string;
  /** `validation` looks at one object alone, `analysis` at its neighbours too. */
  readonly check: "validation" | "analysis";
  /** The object (or this version of it) was left out. */
  readonly refused: boolean;
  readonly key: ObjectKey;
  /** Path in the object as its YAML spells it, for example `spec.http[0].route`; "" for the whole object. */
  readonly field: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** What tells a finding from all others, wherever its object was read. */
export function findingText({ key, code, field, message }: Diagnostic): string {
  return `${formatObjectKey(key)} ${code} ${field} ${message}`;
}
