import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Fragment } from "./fragment.ts";
import { fragment } from "./fragment.ts";
import { writeAnyAround, writeAnyHead, writeFields } from "./message-writer.ts";
import { packed } from "./packed.ts";
import type { Literal } from "./step-plan.ts";
import { Writer } from "./writer.ts";

/** One for all: encoding is synchronous and never re-entered. */
const writer = new Writer();

/**
 * Encodes a message given as a plain literal: fields by number, map entries by key, so that equal values have equal bytes. Fields that a literal leaves
 * out are absent. Wherever a message is expected, a `Fragment` may stand: what is encoded already is copied as it is (fragment.ts).
 */
export function encode<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Uint8Array {
  writer.clear();
  writeFields(writer, schema, message as Literal);
  return writer.finish();
}

/** Encodes a message now, to be spliced into others later, any number of times. */
export function encodeFragment<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Fragment<D> {
  return fragment(schema, encode(schema, message));
}

/** Encodes a message that is written by hand: fields from the highest number to the lowest, each value before its tag (writer.ts). */
export function encodeBy(write: (writer: Writer) => void): Uint8Array {
  writer.clear();
  write(writer);
  return writer.finish();
}

/** Writes the fields of a message amid others that are written by hand. */
export function writeMessage<D extends DescMessage>(target: Writer, schema: D, message: MessageInitShape<D>): void {
  writeFields(target, schema, message as Literal);
}

/** As {@link encodeBy}, a complete `google.protobuf.Any` of a type. */
export function encodeAnyBy(schema: DescMessage, write: (writer: Writer) => void): Uint8Array {
  writer.clear();
  write(writer);
  writeAnyAround(writer, schema, 0);
  return writer.finish();
}

/** What stands before a message of `length` bytes in an Any of its type. */
export function encodeAnyHead(schema: DescMessage, length: number): Uint8Array {
  writer.clear();
  writeAnyHead(writer, schema, length);
  return writer.finish();
}

/** Encodes a message as a complete `google.protobuf.Any`, the form of a resource on the wire. */
export function encodeAny<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Uint8Array {
  return encode(AnySchema, packed(schema, message));
}
