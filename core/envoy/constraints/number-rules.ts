import { WireCursor } from "#core/lib/protobuf/wire-cursor.ts";
import type { DurationRules, FieldRules } from "#proto/validate/validate_pb.js";
import type { Check } from "./check.ts";
import { allOf } from "./check.ts";

type NumberKind = Exclude<
  FieldRules["type"]["case"],
  undefined | "string" | "bytes" | "bool" | "enum" | "message" | "repeated" | "map" | "any" | "duration" | "timestamp"
>;

/** What rules of all number types have in common; absent ones are not own properties. */
interface Bounds {
  readonly const?: number | bigint;
  readonly lt?: number | bigint;
  readonly lte?: number | bigint;
  readonly gt?: number | bigint;
  readonly gte?: number | bigint;
  readonly in: readonly (number | bigint)[];
  readonly notIn: readonly (number | bigint)[];
  readonly ignoreEmpty?: boolean;
}

type Read = (value: WireCursor) => number;

const TWO_32 = 2 ** 32;

/** How a number is read; 64 bits lose precision, which bounds do not need. */
const READ: Readonly<Record<NumberKind, Read>> = {
  float: (value) => view(value).getFloat32(0, true),
  double: (value) => view(value).getFloat64(0, true),
  int32: ({ low }) => low | 0,
  int64: ({ low, high }) => (high | 0) * TWO_32 + low,
  uint32: ({ low }) => low,
  uint64: ({ value }) => value,
  sint32: ({ low }) => (low >>> 1) ^ -(low & 1),
  sint64: ({ value }) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2),
  fixed32: (value) => view(value).getUint32(0, true),
  fixed64: (value) => Number(view(value).getBigUint64(0, true)),
  sfixed32: (value) => view(value).getInt32(0, true),
  sfixed64: (value) => Number(view(value).getBigInt64(0, true)),
};

const ABSENT = new DataView(new ArrayBuffer(8));

function view({ bytes, start, end }: WireCursor): DataView {
  return end > start ? new DataView(bytes.buffer, bytes.byteOffset + start, end - start) : ABSENT;
}

/** Bounds of a number, as protoc-gen-validate reads them. */
export function numberCheck(kind: NumberKind, rules: Bounds): Check | undefined {
  return within(READ[kind], rules);
}

function within(read: Read, rules: Bounds): Check | undefined {
  const checks: Check[] = [];
  const bound = (name: "const" | "lt" | "lte" | "gt" | "gte", words: string, holds: (value: number, limit: number) => boolean) => {
    if (!Object.hasOwn(rules, name) || rules[name] === undefined) return;
    const limit = Number(rules[name]);
    checks.push((value) => (holds(read(value), limit) ? undefined : `must be ${words} ${limit}`));
  };
  bound("const", "exactly", (value, limit) => value === limit);
  bound("lt", "less than", (value, limit) => value < limit);
  bound("lte", "at most", (value, limit) => value <= limit);
  bound("gt", "greater than", (value, limit) => value > limit);
  bound("gte", "at least", (value, limit) => value >= limit);
  const allowed = rules.in.map(Number);
  if (allowed.length > 0) checks.push((value) => (allowed.includes(read(value)) ? undefined : `must be one of ${allowed.join(", ")}`));
  const forbidden = rules.notIn.map(Number);
  if (forbidden.length > 0) checks.push((value) => (forbidden.includes(read(value)) ? `must not be one of ${forbidden.join(", ")}` : undefined));
  const check = allOf(checks);
  return check === undefined || rules.ignoreEmpty !== true ? check : (value) => (read(value) === 0 ? undefined : check(value));
}

/** Bounds of a `google.protobuf.Duration`, in seconds. */
export function durationCheck(rules: DurationRules): Check | undefined {
  const bounds: Record<string, unknown> = { in: rules.in.map(seconds), notIn: rules.notIn.map(seconds) };
  for (const name of ["const", "lt", "lte", "gt", "gte"] as const) if (rules[name] !== undefined) bounds[name] = seconds(rules[name]);
  return within(readDuration, bounds as unknown as Bounds);
}

function seconds(duration: { readonly seconds: bigint; readonly nanos: number }): number {
  return Number(duration.seconds) + duration.nanos / 1e9;
}

function readDuration({ bytes, start, end }: WireCursor): number {
  const fields = new WireCursor(bytes, start, end);
  let total = 0;
  while (fields.next()) {
    if (fields.number === 1) total += READ.int64(fields);
    else if (fields.number === 2) total += READ.int32(fields) / 1e9;
  }
  return total;
}
