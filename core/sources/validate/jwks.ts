import type { Findings } from "./findings.ts";

/** Fields that a public key must have, by kind (RFC 7518, section 6); a private key has `d` besides. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = { RSA: ["n", "e"], EC: ["crv", "x", "y"], OKP: ["crv", "x"], oct: ["k"] };

/** A JSON Web Key Set, or one key (RFC 7517), given in the object itself. Private keys have no use and are better kept secret. */
export function checkKeys(text: string, path: string, findings: Findings): void {
  const keys = readKeys(text);
  if (keys === undefined) {
    findings.error(path, "is not a JSON Web Key Set");
    return;
  }
  for (const [index, key] of keys.entries()) {
    findings.error(path, keyProblem(key, index));
    const secret = isRecord(key) && (key.kty === "oct" || key.d !== undefined);
    if (secret && keyProblem(key, index) === undefined) findings.warning(path, `key ${index} is a private one, only its public part is used`);
  }
}

function readKeys(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(firstObject(text));
    if (!isRecord(value)) return undefined;
    if (value.keys === undefined) return [value];
    return value.keys === null ? [] : Array.isArray(value.keys) ? value.keys : undefined;
  } catch {
    return undefined;
  }
}

/** Istio's reader stops where the first object ends, and looks at nothing behind it. */
function firstObject(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

function keyProblem(key: unknown, index: number): string | undefined {
  const kind = isRecord(key) && typeof key.kty === "string" ? key.kty : "";
  const required = Object.hasOwn(REQUIRED, kind) ? REQUIRED[kind] : undefined;
  if (!isRecord(key) || required === undefined) return `key ${index} is of an unknown kind "${kind}"`;
  const missing = required.find((field) => typeof key[field] !== "string");
  return missing === undefined ? undefined : `key ${index} has no "${missing}"`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
