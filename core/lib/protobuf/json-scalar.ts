import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";

/** A value that does not fit its field; `path` is dotted, with list indices: `http[0].timeout`. */
export interface JsonProblem {
  readonly path: string;
  readonly message: string;
}

/** What readers of JSON are given: where to put what they find. */
export interface Reading {
  readonly problems: JsonProblem[];
}

export function readEnum(schema: DescEnum, json: unknown, path: string, reading: Reading): number {
  if (json === null) return 0;
  if (typeof json === "number" && Number.isInteger(json)) {
    const isNumber = json >= Number(INT32[0]) && json <= Number(INT32[1]);
    return isNumber ? json : complain(reading, path, `${json} is out of range ${INT32[0]}..${INT32[1]}`, 0);
  }
  const value = typeof json === "string" ? schema.values.find((candidate) => candidate.name === json) : undefined;
  if (value !== undefined) return value.number;
  return complain(reading, path, `unknown value ${describe(json)}, expected one of ${schema.values.map((one) => one.name).join(", ")}`, 0);
}

export function readScalar(type: ScalarType, json: unknown, path: string, reading: Reading): unknown {
  switch (type) {
    case ScalarType.STRING:
      if (typeof json === "string") return json;
      return json === null ? "" : complain(reading, path, `expected text, found ${describe(json)}`, "");
    case ScalarType.BOOL:
      if (typeof json === "boolean") return json;
      return json === null ? false : complain(reading, path, `expected true or false, found ${describe(json)}`, false);
    case ScalarType.BYTES:
      return readBytes(json, path, reading);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return readFloat(type, json, path, reading);
    default:
      return readInteger(type, json, path, reading);
  }
}

function readBytes(json: unknown, path: string, reading: Reading): Uint8Array {
  const none = new Uint8Array();
  if (json === null) return none;
  if (typeof json !== "string") return complain(reading, path, `expected base64 text, found ${describe(json)}`, none);
  try {
    return base64Decode(json);
  } catch {
    return complain(reading, path, "not valid base64", none);
  }
}

function readFloat(type: ScalarType, json: unknown, path: string, reading: Reading): number {
  if (json === null || json === "null") return 0;
  if (json === "NaN") return Number.NaN;
  if (json === "Infinity") return Number.POSITIVE_INFINITY;
  if (json === "-Infinity") return Number.NEGATIVE_INFINITY;
  const value = typeof json === "string" && /^\s*-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\s*$/.test(json) ? Number(json) : json;
  if (typeof value !== "number" || !Number.isFinite(value)) return complain(reading, path, `expected a number, found ${describe(json)}`, 0);
  return type === ScalarType.FLOAT ? Math.fround(value) : value;
}

/** Digits of a number, or of a quoted one (Go's decoder trims spaces). */
function integerText(json: unknown): string {
  if (typeof json === "string") return json.trim();
  return typeof json === "number" && Number.isInteger(json) ? BigInt(json).toString() : "";
}

type Range = readonly [low: bigint, high: bigint];
const UINT32: Range = [0n, 0xffff_ffffn];
const INT32: Range = [-0x8000_0000n, 0x7fff_ffffn];
const UINT64: Range = [0n, 0xffff_ffff_ffff_ffffn];
const INT64: Range = [-0x8000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn];
const RANGES: ReadonlyMap<ScalarType, Range> = new Map([
  [ScalarType.UINT32, UINT32],
  [ScalarType.FIXED32, UINT32],
  [ScalarType.INT32, INT32],
  [ScalarType.SINT32, INT32],
  [ScalarType.SFIXED32, INT32],
  [ScalarType.UINT64, UINT64],
  [ScalarType.FIXED64, UINT64],
]);
/** Integers that are plain numbers in messages; the others are bigints. */
const SMALL: ReadonlySet<ScalarType> = new Set([...RANGES].filter(([, range]) => range !== UINT64).map(([type]) => type));

function readInteger(type: ScalarType, json: unknown, path: string, reading: Reading): number | bigint {
  const small = SMALL.has(type);
  const zero = small ? 0 : 0n;
  if (json === null || json === "null") return zero;
  const text = integerText(json);
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return complain(reading, path, `expected a whole number, found ${describe(json)}`, zero);
  const value = BigInt(text);
  const [low, high] = RANGES.get(type) ?? INT64;
  if (value < low || value > high) return complain(reading, path, `${text} is out of range ${low}..${high}`, zero);
  return small ? Number(value) : value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

export function describe(json: unknown): string {
  if (Array.isArray(json)) return "a list";
  if (isRecord(json)) return "an object";
  const text = JSON.stringify(json) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function complain<T>(reading: Reading, path: string, message: string, fallback: T): T {
  reading.problems.push({ path, message });
  return fallback;
}
