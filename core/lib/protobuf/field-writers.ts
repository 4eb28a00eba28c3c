import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { compareText } from "#core/lib/compare.ts";
import { Encoded } from "./fragment.ts";
import { Packed, typeUrl } from "./packed.ts";
import type { Scalar, ValueWriter } from "./scalar-writers.ts";
import { ENUM, scalarOf, WIRE_BYTES, WIRE_GROUP_END, WIRE_GROUP_START } from "./scalar-writers.ts";
import { writeStruct } from "./struct-writer.ts";
import type { Writer } from "./writer.ts";

/** The encoding of a message type: writes the fields of a literal, without length or tag. */
export interface MessageWriter {
  readonly write: ValueWriter;
}

/** How a field is written when its message has it: the value with length and tag, and whether the value may be left out. */
export interface FieldWriter {
  readonly write: ValueWriter;
  /** Zero values of fields without presence, empty lists and maps. */
  readonly isEmpty: (value: unknown) => boolean;
}

type Lookup = (schema: DescMessage) => MessageWriter;

const never = (): boolean => false;

// FieldPresence.IMPLICIT of google/protobuf/descriptor.proto.
const IMPLICIT = 2;

/** Compiles the writer of one field. `lookup` finds the writers of other message types; it is asked when a value of theirs is first met. */
export function compileField(field: DescField, lookup: Lookup): FieldWriter {
  switch (field.fieldKind) {
    case "message":
      return { write: messageField(field, lookup), isEmpty: never };
    case "list":
      return { write: listField(field, lookup), isEmpty: (value) => (value as readonly unknown[]).length === 0 };
    case "map":
      return { write: mapField(field, lookup), isEmpty: never };
    default: {
      const scalar = field.fieldKind === "enum" ? ENUM : scalarOf(field.scalar);
      return { write: tagged(field.number, scalar), isEmpty: field.presence === IMPLICIT && field.oneof === undefined ? scalar.isZero : never };
    }
  }
}

function tagged(number: number, { wireType, write }: Scalar): ValueWriter {
  const tag = number * 8 + wireType;
  return (writer, value) => {
    write(writer, value);
    writer.varint(tag);
  };
}

/** Length and tag around what `write` writes. */
function framed(number: number, write: ValueWriter): ValueWriter {
  const tag = number * 8 + WIRE_BYTES;
  return (writer, value) => {
    const mark = writer.size;
    write(writer, value);
    writer.varint(writer.size - mark);
    writer.varint(tag);
  };
}

function grouped(number: number, write: ValueWriter): ValueWriter {
  return (writer, value) => {
    writer.varint(number * 8 + WIRE_GROUP_END);
    write(writer, value);
    writer.varint(number * 8 + WIRE_GROUP_START);
  };
}

function messageField(field: DescField & { fieldKind: "message" }, lookup: Lookup): ValueWriter {
  const body = field.oneof === undefined && isWrapperDesc(field.message) ? wrapper(field.message) : messageBody(field, field.message, lookup);
  return field.delimitedEncoding ? grouped(field.number, body) : framed(field.number, body);
}

/** Generated types hold the bare value where a singular field outside a oneof is of a wrapper type (`google.protobuf.UInt32Value`). */
function wrapper(schema: DescMessage): ValueWriter {
  const scalar = scalarOf(schema.fields[0]?.scalar ?? ScalarType.STRING);
  const write = tagged(1, scalar);
  return (writer, value) => {
    if (value instanceof Encoded) writer.raw(value.bytes);
    else if (!scalar.isZero(value)) write(writer, value);
  };
}

/** The value of a message field; `google.protobuf.Struct` is a JSON object in generated types, except within `google.protobuf.Value`. */
function messageBody(field: DescField, schema: DescMessage, lookup: Lookup): ValueWriter {
  if (schema.typeName === "google.protobuf.Struct" && field.parent.typeName !== "google.protobuf.Value") {
    return (writer, value) => {
      if (value instanceof Encoded) writer.raw(value.bytes);
      else writeStruct(writer, value as Readonly<Record<string, unknown>>);
    };
  }
  let found: MessageWriter | undefined;
  return (writer, value) => {
    if (value instanceof Encoded) {
      writer.raw(value.bytes);
    } else if (value instanceof Packed) {
      writePacked(writer, value, lookup);
    } else {
      found ??= lookup(schema);
      found.write(writer, value);
    }
  };
}

// google.protobuf.Any: type_url = 1, value = 2.
const TAG_TYPE_URL = 0x0a;
const TAG_VALUE = 0x12;

/** The fields of a `google.protobuf.Any` around a message, which is encoded in place; an empty value is left out, as in any field without presence. */
export function writePacked(writer: Writer, { schema, message }: Packed, lookup: Lookup): void {
  const mark = writer.size;
  if (message instanceof Encoded) writer.raw(message.bytes);
  else lookup(schema).write(writer, message);
  const length = writer.size - mark;
  if (length > 0) {
    writer.varint(length);
    writer.byte(TAG_VALUE);
  }
  writer.string(typeUrl(schema));
  writer.byte(TAG_TYPE_URL);
}

function listField(field: DescField & { fieldKind: "list" }, lookup: Lookup): ValueWriter {
  if (field.listKind === "message") {
    const body = messageBody(field, field.message, lookup);
    return repeated(field.delimitedEncoding ? grouped(field.number, body) : framed(field.number, body));
  }
  const scalar = field.listKind === "enum" ? ENUM : scalarOf(field.scalar);
  return field.packed ? framed(field.number, repeated(scalar.write)) : repeated(tagged(field.number, scalar));
}

function repeated(write: ValueWriter): ValueWriter {
  return (writer, value) => {
    const items = value as readonly unknown[];
    for (let index = items.length - 1; index >= 0; index--) write(writer, items[index]);
  };
}

function mapField(field: DescField & { fieldKind: "map" }, lookup: Lookup): ValueWriter {
  const writeKey = tagged(1, scalarOf(field.mapKey));
  const { keyOf, compare } = mapKeys(field.mapKey);
  const writeValue =
    field.mapKind === "message"
      ? framed(2, messageBody(field, field.message, lookup))
      : tagged(2, field.mapKind === "enum" ? ENUM : scalarOf(field.scalar));
  const writeEntry = framed(field.number, (writer, value) => {
    const [key, item] = value as readonly [unknown, unknown];
    writeValue(writer, item);
    writeKey(writer, key);
  });
  return (writer, value) => {
    const entries = Object.entries(value as Readonly<Record<string, unknown>>).sort(([a], [b]) => compare(a, b));
    for (let index = entries.length - 1; index >= 0; index--) {
      const [key, item] = entries[index] as [string, unknown];
      if (item !== undefined && item !== null) writeEntry(writer, [keyOf(key), item]);
    }
  };
}

interface MapKeys {
  /** The key's value, from the name of a property. */
  readonly keyOf: (name: string) => unknown;
  readonly compare: (a: string, b: string) => number;
}

/** Entries are sorted by key, as text or as numbers; false sorts before true as text, too. */
function mapKeys(type: ScalarType): MapKeys {
  if (type === ScalarType.STRING) return { keyOf: (name) => name, compare: compareText };
  if (type === ScalarType.BOOL) return { keyOf: (name) => name === "true", compare: compareText };
  return { keyOf: LONG.has(type) ? BigInt : Number, compare: (a, b) => (BigInt(a) < BigInt(b) ? -1 : 1) };
}

const LONG: ReadonlySet<ScalarType> = new Set([ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64, ScalarType.SFIXED64]);
