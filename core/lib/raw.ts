/** Reads parsed documents that nothing checked: what has another form than expected reads as nothing. */

export function rawRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function rawList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function rawText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
