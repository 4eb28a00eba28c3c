import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type Message,
  type MessageShape,
  type Registry,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { AnySchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { parseGoDuration } from "#core/lib/duration.ts";
import { complain, describe, isRecord, type JsonProblem, joinPath, type Reading, readEnum, readScalar } from "./json-scalar.ts";

export type { JsonProblem } from "./json-scalar.ts";

export interface JsonOptions {
  /** Finds the messages within `google.protobuf.Any`; without it they can't be read. */
  readonly types?: Registry;
  /** Where unknown fields are told; they are ignored either way. */
  readonly unknown?: JsonProblem[];
}

/**
 * Reads JSON into a message as Istio does (`pkg/util/protomarshal` ApplyJSON over golang/protobuf `jsonpb` with unknown fields allowed), which is laxer
 * than the ProtoJSON of `fromJson`: unknown fields are ignored, null means absent, both spellings of a field count (lowerCamelCase wins),
 * the last field of a oneof wins, durations are Go's (`1h`, `1m30s`), numbers may be quoted.
 * Problems are appended to `problems`; the message is only meaningful if there are none.
 */
export function messageFromJson<D extends DescMessage>(
  schema: D,
  json: unknown,
  problems: JsonProblem[],
  options: JsonOptions = {},
): MessageShape<D> {
  return readMessage(schema, json ?? {}, "", { ...options, problems }) as MessageShape<D>;
}

interface MessageReading extends JsonOptions, Reading {}

type Target = Record<string, unknown>;

function readMessage(schema: DescMessage, json: unknown, path: string, reading: MessageReading): unknown {
  const known = WELL_KNOWN[schema.typeName];
  if (known !== undefined) return known(json, path, reading);
  const target = create(schema) as unknown as Target;
  if (json === null) return target;
  if (!isRecord(json)) return complain(reading, path, `expected an object, found ${describe(json)}`, target);
  for (const field of schema.fields) {
    const value = rawField(json, field);
    if (value === undefined || (value === null && !mayBeNull(field))) continue;
    const read = readField(field, value, joinPath(path, field.jsonName), reading);
    if (field.oneof === undefined) target[field.localName] = read;
    else target[field.oneof.localName] = { case: field.localName, value: read };
  }
  if (reading.unknown !== undefined) noteUnknown(schema, json, path, reading.unknown);
  return target;
}

function noteUnknown(schema: DescMessage, json: Record<string, unknown>, path: string, unknown: JsonProblem[]): void {
  for (const name of Object.keys(json)) {
    const known = schema.fields.some((field) => field.jsonName === name || field.name === name);
    if (!known) unknown.push({ path: joinPath(path, name), message: `unknown field in ${schema.typeName}` });
  }
}

function rawField(json: Record<string, unknown>, field: DescField): unknown {
  if (Object.hasOwn(json, field.jsonName)) return json[field.jsonName];
  return Object.hasOwn(json, field.name) ? json[field.name] : undefined;
}

function mayBeNull(field: DescField): boolean {
  return field.fieldKind === "message" && field.message.typeName === ValueSchema.typeName;
}

function readField(field: DescField, json: unknown, path: string, reading: MessageReading): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return readScalar(field.scalar, json, path, reading);
    case "enum":
      return readEnum(field.enum, json, path, reading);
    case "message":
      return readSingular(field, json, path, reading);
    case "list":
      if (!Array.isArray(json)) return complain(reading, path, `expected a list, found ${describe(json)}`, []);
      return json.map((item, index) => readElement(field, item, `${path}[${index}]`, reading));
    case "map":
      return readMap(field, json, path, reading);
  }
}

/** A wrapper (`google.protobuf.UInt32Value`) is its bare value in generated types, except within a oneof. */
function readSingular(field: DescField & { fieldKind: "message" }, json: unknown, path: string, reading: MessageReading): unknown {
  const wrapped = WRAPPED[field.message.typeName];
  if (wrapped === undefined) return readMessage(field.message, json, path, reading);
  const value = readScalar(wrapped, json, path, reading);
  return field.oneof === undefined ? value : { ...create(field.message), value };
}

function readElement(field: DescField & { fieldKind: "list" | "map" }, json: unknown, path: string, reading: MessageReading): unknown {
  if (field.scalar !== undefined) return readScalar(field.scalar, json, path, reading);
  if (field.enum !== undefined) return readEnum(field.enum, json, path, reading);
  const message = field.message;
  if (message === undefined) return undefined;
  const wrapped = WRAPPED[message.typeName];
  if (wrapped === undefined) return readMessage(message, json, path, reading);
  return { ...create(message), value: readScalar(wrapped, json, path, reading) };
}

function readMap(field: DescField & { fieldKind: "map" }, json: unknown, path: string, reading: MessageReading): unknown {
  const result: Record<string, unknown> = {};
  if (!isRecord(json)) return complain(reading, path, `expected a map, found ${describe(json)}`, result);
  for (const [key, value] of Object.entries(json)) {
    const at = joinPath(path, key);
    if (field.mapKey !== ScalarType.STRING) readScalar(field.mapKey, key, at, reading);
    define(result, key, readElement(field, value, at, reading));
  }
  return result;
}

/** Plain assignment would lose the key `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
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

const WELL_KNOWN: Readonly<Record<string, (json: unknown, path: string, reading: MessageReading) => unknown>> = {
  "google.protobuf.Duration": readDuration,
  "google.protobuf.Timestamp": readTimestamp,
  "google.protobuf.Struct": (json, path, reading) =>
    isRecord(json) ? json : complain(reading, path, `expected an object, found ${describe(json)}`, {}),
  "google.protobuf.Any": readAny,
  "google.protobuf.Value": (json) => fromJson(ValueSchema, json as JsonValue),
};

/** An `Any` names its type in `@type`; a message with a JSON form of its own stands in `value`, the fields of others beside the type. */
function readAny(json: unknown, path: string, reading: MessageReading): unknown {
  const none = create(AnySchema);
  if (!isRecord(json)) return complain(reading, path, `expected an object, found ${describe(json)}`, none);
  const { "@type": typeUrl, ...fields } = json;
  if (typeof typeUrl !== "string") return complain(reading, path, "a message of any type needs an @type", none);
  const schema = reading.types?.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
  if (schema === undefined) return complain(reading, joinPath(path, "@type"), `unknown message type ${typeUrl}`, none);
  const wrapped = WRAPPED[schema.typeName];
  const special = wrapped !== undefined || WELL_KNOWN[schema.typeName] !== undefined;
  if (special && fields.value === undefined) return complain(reading, path, "a value is required", none);
  const before = reading.problems.length;
  const message =
    wrapped !== undefined ? { ...create(schema), value: readScalar(wrapped, fields.value, joinPath(path, "value"), reading) } : undefined;
  const content = message ?? readMessage(schema, special ? fields.value : fields, path, reading);
  // A message with mistakes may not be encodable.
  if (reading.problems.length > before) return none;
  const whole = schema.typeName === "google.protobuf.Struct" ? fromJson(schema, content as JsonValue) : (content as Message);
  return { ...none, typeUrl, value: toBinary(schema, whole) };
}

function readDuration(json: unknown, path: string, reading: MessageReading): unknown {
  const none = { $typeName: "google.protobuf.Duration", seconds: 0n, nanos: 0 };
  const duration = typeof json === "string" ? parseGoDuration(json) : undefined;
  if (duration === undefined) return complain(reading, path, `expected a duration such as 1.5s, found ${describe(json)}`, none);
  return { ...none, seconds: BigInt(duration.seconds), nanos: duration.nanos };
}

function readTimestamp(json: unknown, path: string, reading: MessageReading): unknown {
  const none = { $typeName: "google.protobuf.Timestamp", seconds: 0n, nanos: 0 };
  const match = typeof json === "string" ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(json) : null;
  const millis = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3]}`);
  if (match === null || Number.isNaN(millis)) return complain(reading, path, `expected an RFC 3339 time, found ${describe(json)}`, none);
  return { ...none, seconds: BigInt(millis / 1000), nanos: Number((match[2] ?? "").padEnd(9, "0")) };
}
