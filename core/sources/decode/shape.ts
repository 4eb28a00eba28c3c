import { compareText } from "#core/lib/compare.ts";
import type { JsonProblem } from "#core/lib/protobuf/from-json.ts";
import { recent } from "#core/lib/recent.ts";

/** Reads one unknown JSON value into its projected form; what does not fit is reported at `path` and replaced by the empty value. */
export type Reader<T> = (value: unknown, path: string, problems: JsonProblem[]) => T;

/** Text; absent or null reads as "". */
export const text: Reader<string> = (value, path, problems) => {
  if (typeof value === "string") return value;
  if (value !== undefined && value !== null) problems.push({ path, message: `expected text, found ${typeof value}` });
  return "";
};

/** As `read`, one identity for equal values that were read lately: for what most objects around have in common (their namespace, the labels of their Deployment). */
export function shared<T>(read: Reader<T>): Reader<T> {
  const known = recent<T>(SHARED_VALUES);
  return (value, path, problems) => {
    const result = read(value, path, problems);
    return known(typeof result === "string" ? result : JSON.stringify(result), () => result);
  };
}
const SHARED_VALUES = 1024;

/** Text as metadata has it: YAML's bare numbers and booleans count as text (Istio reads metadata through `sigs.k8s.io/yaml`, which converts them). */
export const looseText: Reader<string> = (value, path, problems) =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : text(value, path, problems);

/** True or false; absent reads as false. */
export const flag: Reader<boolean> = (value, path, problems) => {
  if (typeof value === "boolean") return value;
  if (value !== undefined && value !== null) problems.push({ path, message: `expected true or false, found ${typeof value}` });
  return false;
};

/** A whole number of 32 bits, as Kubernetes counts ports; absent reads as 0. */
export const integer: Reader<number> = (value, path, problems) => {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  problems.push({ path, message: "expected a whole number" });
  return 0;
};

/** Kubernetes' IntOrString. */
export const integerOrText: Reader<number | string> = (value, path, problems) => (typeof value === "string" ? value : integer(value, path, problems));

/** Absent and null stay absent. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (value, path, problems) => (value === undefined || value === null ? undefined : read(value, path, problems));
}

/** Most lists and maps of most objects are empty: they share one. */
const NO_ITEMS: readonly never[] = [];
const NO_ENTRIES: Readonly<Record<string, never>> = {};

/** A list; absent reads as an empty one. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, path, problems) => {
    if (value === undefined || value === null) return NO_ITEMS;
    if (Array.isArray(value)) return value.length === 0 ? NO_ITEMS : value.map((item, index) => read(item, `${path}[${index}]`, problems));
    problems.push({ path, message: `expected a list, found ${typeof value}` });
    return NO_ITEMS;
  };
}

/** An object of like values; absent reads as an empty one. */
export function mapOf<T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, path, problems) => {
    const entries = Object.entries(record(value, path, problems));
    if (entries.length === 0) return NO_ENTRIES;
    return Object.fromEntries(entries.sort(byName).map(([key, item]) => [key, read(item, joinPath(path, key), problems)]));
  };
}

/** The fields of an object; anything else is reported and reads as an empty one. */
export function record(value: unknown, path: string, problems: JsonProblem[]): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  problems.push({ path, message: `expected an object, found ${Array.isArray(value) ? "a list" : typeof value}` });
  return {};
}

type Shape<T> = { readonly [P in keyof T]-?: Reader<T[P]> };

/** An object of known fields, in order of their names; the others are dropped, and so are fields that read as undefined. */
export function object<T extends object>(shape: Shape<T>): Reader<T> {
  const fields = (Object.entries(shape) as [string, Reader<unknown>][]).sort(byName);
  return (value, path, problems) => {
    const source = record(value, path, problems);
    const result: Record<string, unknown> = {};
    for (const [name, read] of fields) {
      const item = read(Object.hasOwn(source, name) ? source[name] : undefined, joinPath(path, name), problems);
      if (item !== undefined) result[name] = item;
    }
    return result as T;
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
