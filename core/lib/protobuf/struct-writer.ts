import { closeMessage } from "./by-hand.ts";
import { sortedKeys } from "./sorted-keys.ts";
import type { Writer } from "./writer.ts";

// google/protobuf/struct.proto: Struct.fields = 1 (a map: key = 1, value = 2), ListValue.values = 1, and the cases of Value.
const TAG_FIELDS = 0x0a;
const TAG_KEY = 0x0a;
const TAG_VALUE = 0x12;
const TAG_NULL = 0x08;
const TAG_NUMBER = 0x11;
const TAG_STRING = 0x1a;
const TAG_BOOL = 0x20;
const TAG_STRUCT = 0x2a;
const TAG_LIST = 0x32;

/** Writes a JSON object as the fields of a `google.protobuf.Struct`, sorted by key; keys without a value are left out. */
export function writeStruct(writer: Writer, json: Readonly<Record<string, unknown>>): void {
  const keys = sortedKeys(json);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] as string;
    const value = json[key];
    if (value === undefined) continue;
    const mark = writer.size;
    nested(writer, TAG_VALUE, writeValue, value);
    writer.string(key);
    writer.byte(TAG_KEY);
    closeMessage(writer, mark, TAG_FIELDS);
  }
}

function writeValue(writer: Writer, json: unknown): void {
  switch (typeof json) {
    case "string":
      writer.string(json);
      writer.byte(TAG_STRING);
      break;
    case "number":
      writer.double(json);
      writer.byte(TAG_NUMBER);
      break;
    case "boolean":
      writer.byte(json ? 1 : 0);
      writer.byte(TAG_BOOL);
      break;
    case "object":
      writeObject(writer, json);
      break;
  }
}

function writeObject(writer: Writer, json: object | null): void {
  if (json === null) {
    writer.byte(0);
    writer.byte(TAG_NULL);
  } else if (Array.isArray(json)) {
    nested(writer, TAG_LIST, writeList, json);
  } else {
    nested(writer, TAG_STRUCT, writeStruct, json as Readonly<Record<string, unknown>>);
  }
}

function writeList(writer: Writer, json: readonly unknown[]): void {
  for (let index = json.length - 1; index >= 0; index--) nested(writer, TAG_FIELDS, writeValue, json[index]);
}

function nested<T>(writer: Writer, tag: number, write: (writer: Writer, value: T) => void, value: T): void {
  const mark = writer.size;
  write(writer, value);
  closeMessage(writer, mark, tag);
}
