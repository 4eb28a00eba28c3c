/**
 * One text for equal plain values: JSON with keys sorted and absent fields left out, so that a digest of it is a digest of the value.
 * Takes what JSON takes, and bytes and bigints besides; {@link parseCanonical} reads it back.
 */
export function canonicalText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return `{"@int":"${value}"}`;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value instanceof Uint8Array) return JSON.stringify({ "@bytes": Array.from(value) });
  const fields: string[] = [];
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record).sort()) {
    if (record[key] !== undefined) fields.push(`${JSON.stringify(key)}:${canonicalText(record[key])}`);
  }
  return `{${fields.join(",")}}`;
}

/** The inverse of {@link canonicalText}. Throws SyntaxError for other text. */
export function parseCanonical(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => (isTagged(value) ? untag(value) : value));
}

type Tagged = { readonly "@int": string } | { readonly "@bytes": readonly number[] };

function isTagged(value: unknown): value is Tagged {
  return typeof value === "object" && value !== null && ("@int" in value || "@bytes" in value);
}

function untag(value: Tagged): unknown {
  return "@int" in value ? BigInt(value["@int"]) : Uint8Array.from(value["@bytes"]);
}
