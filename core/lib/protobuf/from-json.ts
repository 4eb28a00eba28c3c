import { create, type DescEnum, type DescField, type DescMessage, fromJson, type JsonValue, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { parseGoDuration } from "#core/lib/duration.ts";

/** A value that does not fit its field; `path` is dotted, with list indices: `http[0].timeout`. */
export interface JsonProblem {
  readonly path: string;
  readonly message: string;
}

/**
 * Reads JSON into a message as Istio does (`pkg/util/protomarshal` ApplyJSON over golang/protobuf `jsonpb` with unknown fields allowed), which is laxer
 * than the ProtoJSON of `fromJson`: unknown fields are ignored, null means absent, both spellings of a field count (lowerCamelCase wins),
 * the last field of a oneof wins, durations are Go's (`1h`, `1m30s`), numbers may be quoted.
 * Problems are appended to `problems`; the message is only meaningful if there are none.
 */
export function messageFromJson<D extends DescMessage>(schema: D, json: unknown, problems: JsonProblem[]): MessageShape<D> {
  return readMessage(schema, json ?? {}, "", problems) as MessageShape<D>;
}

type Target = Record<string, unknown>;

function readMessage(schema: DescMessage, json: unknown, path: string, problems: JsonProblem[]): unknown {
  const known = WELL_KNOWN[schema.typeName];
  if (known !== undefined) return known(json, path, problems);
  const target = create(schema) as unknown as Target;
  if (json === null) return target;
  if (!isRecord(json)) return complain(problems, path, `expected an object, found ${describe(json)}`, target);
  for (const field of schema.fields) {
    const value = rawField(json, field);
    if (value === undefined || (value === null && !mayBeNull(field))) continue;
    const read = readField(field, value, joinPath(path, field.jsonName), problems);
    if (field.oneof === undefined) target[field.localName] = read;
    else target[field.oneof.localName] = { case: field.localName, value: read };
  }
  return target;
}

function rawField(json: Record<string, unknown>, field: DescField): unknown {
  if (Object.hasOwn(json, field.jsonName)) return json[field.jsonName];
  return Object.hasOwn(json, field.name) ? json[field.name] : undefined;
}

function mayBeNull(field: DescField): boolean {
  return field.fieldKind === "message" && field.message.typeName === ValueSchema.typeName;
}

function readField(field: DescField, json: unknown, path: string, problems: JsonProblem[]): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return readScalar(field.scalar, json, path, problems);
    case "enum":
      return readEnum(field.enum, json, path, problems);
    case "message":
      return readSingular(field, json, path, problems);
    case "list":
      if (!Array.isArray(json)) return complain(problems, path, `expected a list, found ${describe(json)}`, []);
      return json.map((item, index) => readElement(field, item, `${path}[${index}]`, problems));
    case "map":
      return readMap(field, json, path, problems);
  }
}

/** A wrapper (`google.protobuf.UInt32Value`) is its bare value in generated types, except within a oneof. */
function readSingular(field: DescField & { fieldKind: "message" }, json: unknown, path: string, problems: JsonProblem[]): unknown {
  const wrapped = WRAPPED[field.message.typeName];
  if (wrapped === undefined) return readMessage(field.message, json, path, problems);
  const value = readScalar(wrapped, json, path, problems);
  return field.oneof === undefined ? value : { ...create(field.message), value };
}

function readElement(field: DescField & { fieldKind: "list" | "map" }, json: unknown, path: string, problems: JsonProblem[]): unknown {
  if (field.scalar !== undefined) return readScalar(field.scalar, json, path, problems);
  if (field.enum !== undefined) return readEnum(field.enum, json, path, problems);
  const message = field.message;
  if (message === undefined) return undefined;
  const wrapped = WRAPPED[message.typeName];
  if (wrapped === undefined) return readMessage(message, json, path, problems);
  return { ...create(message), value: readScalar(wrapped, json, path, problems) };
}

function readMap(field: DescField & { fieldKind: "map" }, json: unknown, path: string, problems: JsonProblem[]): unknown {
  const result: Record<string, unknown> = {};
  if (!isRecord(json)) return complain(problems, path, `expected a map, found ${describe(json)}`, result);
  for (const [key, value] of Object.entries(json)) {
    const at = joinPath(path, key);
    if (field.mapKey !== ScalarType.STRING) readScalar(field.mapKey, key, at, problems);
    define(result, key, readElement(field, value, at, problems));
  }
  return result;
}

/** Plain assignment would lose the key `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

function readEnum(schema: DescEnum, json: unknown, path: string, problems: JsonProblem[]): number {
  if (json === null) return 0;
  if (typeof json === "number" && Number.isInteger(json)) return json;
  const value = typeof json === "string" ? schema.values.find((candidate) => candidate.name === json) : undefined;
  if (value !== undefined) return value.number;
  return complain(problems, path, `unknown value ${describe(json)}, expected one of ${schema.values.map((one) => one.name).join(", ")}`, 0);
}

function readScalar(type: ScalarType, json: unknown, path: string, problems: JsonProblem[]): unknown {
  switch (type) {
    case ScalarType.STRING:
      if (typeof json === "string") return json;
      return json === null ? "" : complain(problems, path, `expected text, found ${describe(json)}`, "");
    case ScalarType.BOOL:
      if (typeof json === "boolean") return json;
      return json === null ? false : complain(problems, path, `expected true or false, found ${describe(json)}`, false);
    case ScalarType.BYTES:
      return readBytes(json, path, problems);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return readFloat(type, json, path, problems);
    default:
      return readInteger(type, json, path, problems);
  }
}

function readBytes(json: unknown, path: string, problems: JsonProblem[]): Uint8Array {
  const none = new Uint8Array();
  if (json === null) return none;
  if (typeof json !== "string") return complain(problems, path, `expected base64 text, found ${describe(json)}`, none);
  try {
    return base64Decode(json);
  } catch {
    return complain(problems, path, "not valid base64", none);
  }
}

function readFloat(type: ScalarType, json: unknown, path: string, problems: JsonProblem[]): number {
  if (json === null || json === "null") return 0;
  if (json === "NaN") return Number.NaN;
  if (json === "Infinity") return Number.POSITIVE_INFINITY;
  if (json === "-Infinity") return Number.NEGATIVE_INFINITY;
  const value = typeof json === "string" && /^\s*-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\s*$/.test(json) ? Number(json) : json;
  if (typeof value !== "number" || !Number.isFinite(value)) return complain(problems, path, `expected a number, found ${describe(json)}`, 0);
  return type === ScalarType.FLOAT ? Math.fround(value) : value;
}

const UNSIGNED_32: ReadonlySet<ScalarType> = new Set([ScalarType.UINT32, ScalarType.FIXED32]);
const SIGNED_32: ReadonlySet<ScalarType> = new Set([ScalarType.INT32, ScalarType.SINT32, ScalarType.SFIXED32]);
const UNSIGNED_64: ReadonlySet<ScalarType> = new Set([ScalarType.UINT64, ScalarType.FIXED64]);

function readInteger(type: ScalarType, json: unknown, path: string, problems: JsonProblem[]): number | bigint {
  const small = UNSIGNED_32.has(type) || SIGNED_32.has(type);
  const zero = small ? 0 : 0n;
  if (json === null || json === "null") return zero;
  const text = typeof json === "number" && Number.isInteger(json) ? BigInt(json).toString() : typeof json === "string" ? json.trim() : "";
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return complain(problems, path, `expected a whole number, found ${describe(json)}`, zero);
  const value = BigInt(text);
  const [low, high] = UNSIGNED_32.has(type)
    ? [0n, 0xffff_ffffn]
    : SIGNED_32.has(type)
      ? [-0x8000_0000n, 0x7fff_ffffn]
      : UNSIGNED_64.has(type)
        ? [0n, 0xffff_ffff_ffff_ffffn]
        : [-0x8000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn];
  if (value < low || value > high) return complain(problems, path, `${text} is out of range ${low}..${high}`, zero);
  return small ? Number(value) : value;
}

const WRAPPED: Readonly<Record<string, ScalarType>> = {
  "google.protobuf.BoolValue": ScalarType.BOOL,
  "google.protobuf.BytesValue": ScalarType.BYTES,
  "google.protobuf.StringValue": ScalarType.STRING,
  "google.protobuf.Int32Value": ScalarType.INT32,
  "google.protobuf.UInt32Value": ScalarType.UINT32,
  "google.protobuf.Int64Value": ScalarType.INT64,
  "google.protobuf.UInt64Value": ScalarType.UINT64,
  "google.protobuf.FloatValue": ScalarType.FLOAT,
  "google.protobuf.DoubleValue": ScalarType.DOUBLE,
};

const WELL_KNOWN: Readonly<Record<string, (json: unknown, path: string, problems: JsonProblem[]) => unknown>> = {
  "google.protobuf.Duration": readDuration,
  "google.protobuf.Timestamp": readTimestamp,
  "google.protobuf.Struct": (json, path, problems) =>
    isRecord(json) ? json : complain(problems, path, `expected an object, found ${describe(json)}`, {}),
  "google.protobuf.Value": (json) => fromJson(ValueSchema, json as JsonValue),
};

function readDuration(json: unknown, path: string, problems: JsonProblem[]): unknown {
  const none = { $typeName: "google.protobuf.Duration", seconds: 0n, nanos: 0 };
  const duration = typeof json === "string" ? parseGoDuration(json) : undefined;
  if (duration === undefined) return complain(problems, path, `expected a duration such as 1.5s, found ${describe(json)}`, none);
  return { ...none, seconds: BigInt(duration.seconds), nanos: duration.nanos };
}

function readTimestamp(json: unknown, path: string, problems: JsonProblem[]): unknown {
  const none = { $typeName: "google.protobuf.Timestamp", seconds: 0n, nanos: 0 };
  const match = typeof json === "string" ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(json) : null;
  const millis = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3]}`);
  if (match === null || Number.isNaN(millis)) return complain(problems, path, `expected an RFC 3339 time, found ${describe(json)}`, none);
  return { ...none, seconds: BigInt(millis / 1000), nanos: Number((match[2] ?? "").padEnd(9, "0")) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function describe(json: unknown): string {
  if (Array.isArray(json)) return "a list";
  if (isRecord(json)) return "an object";
  const text = JSON.stringify(json) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function complain<T>(problems: JsonProblem[], path: string, message: string, fallback: T): T {
  problems.push({ path, message });
  return fallback;
}
