import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";

/**
 * Encodes a message given as a plain literal: fields by number, map entries by key, so that equal values have equal bytes.
 */
export function encode<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Uint8Array {
  return toBinary(schema, create(schema, message));
}
