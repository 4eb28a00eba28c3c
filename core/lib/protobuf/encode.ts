import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Fragment } from "./fragment.ts";
import { Encoded, fragment } from "./fragment.ts";
import { messageWriter, writeAny } from "./message-writer.ts";
import { Packed, packed } from "./packed.ts";
import { Writer } from "./writer.ts";

/** One for all: encoding is synchronous and never re-entered. */
const shared = new Writer();

/**
 * Encodes a message given as a plain literal: fields by number, map entries by key, so that equal values have equal bytes. Fields that a literal leaves
 * out are absent. Wherever a message is expected, a `Fragment` may stand (its bytes are copied as they are), and for an Any what `packed` makes.
 */
export function encode<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Uint8Array {
  const value: unknown = message;
  if (value instanceof Encoded) return value.bytes;
  shared.clear();
  if (value instanceof Packed) writeAny(shared, value);
  else messageWriter(schema).write(shared, value);
  return shared.finish();
}

/** Encodes a message now, to be spliced into others later, any number of times. */
export function encodeFragment<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Fragment<D> {
  return fragment(schema, encode(schema, message));
}

/** Encodes a message as a complete `google.protobuf.Any`, the form of a resource on the wire. */
export function encodeAny<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Uint8Array {
  return encode(AnySchema, packed(schema, message));
}
