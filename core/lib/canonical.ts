/**
 * One text for equal plain values: JSON with keys sorted and absent fields left out, so that a digest of it is a digest of the value.
 * Takes what JSON takes, and bytes and bigints besides; {@link parseCanonical} reads it back.
 */
export function canonicalText(value: unknown): string {
  return isInOrder(value) ? (JSON.stringify(value) ?? "null") : textOf(value);
}

/** Does `JSON.stringify` write the value as it must be: plain JSON, its keys sorted and none that looks like a mark? Then that takes a fraction of the time. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isInOrder(value[index])) return false;
    return true;
  }
  if (value instanceof Uint8Array) return false;
  let last = "";
  for (const key in value) {
    if (key < last || key.startsWith("@") || !isInOrder((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "undefined":
      return "null";
    case "bigint":
      return `{"@int":"${value}"}`;
    case "object":
      return value === null ? "null" : textOfObject(value);
    default:
      return JSON.stringify(value) ?? "null";
  }
}

function textOfObject(value: object): string {
  if (Array.isArray(value)) return textOfList(value);
  if (value instanceof Uint8Array) return `{"@bytes":[${value.join(",")}]}`;
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  if (!isSorted(keys)) keys.sort();
  let text = "";
  for (const key of keys) {
    const field = record[key];
    if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key.startsWith("@") ? `@${key}` : key)}:${textOf(field)}`;
  }
  return `{${text}}`;
}

function textOfList(values: readonly unknown[]): string {
  let text = "";
  for (let index = 0; index < values.length; index++) text += `${index === 0 ? "" : ","}${textOf(values[index])}`;
  return `[${text}]`;
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  return true;
}

/** The inverse of {@link canonicalText}. Throws SyntaxError for other text. */
export function parseCanonical(text: string): unknown {
  return text.includes('"@') ? JSON.parse(text, (_, value: unknown) => (isTagged(value) ? untag(value) : value)) : JSON.parse(text);
}

/** An object with keys that start with "@": a bigint, bytes, or a plain one whose keys have one "@" more than they should. */
type Tagged = Readonly<Record<`@${string}`, unknown>>;

function isTagged(value: unknown): value is Tagged {
  return typeof value === "object" && value !== null && Object.keys(value).some((key) => key.startsWith("@"));
}

function untag(value: Tagged): unknown {
  if ("@int" in value) return BigInt(value["@int"] as string);
  if ("@bytes" in value) return Uint8Array.from(value["@bytes"] as readonly number[]);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.startsWith("@") ? key.slice(1) : key, field]));
}
