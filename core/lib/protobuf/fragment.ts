import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/** What stands for a message that is encoded already; made by `fragment`. */
export class Encoded {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * A message that is encoded already. It may stand wherever a literal of the message may (a field, an element of a list, a value of a map, a case of a
 * oneof, the message of `packed`), and is copied as it is: what recurs or rarely changes is encoded once. Its fields can't be read.
 */
export type Fragment<D extends DescMessage> = MessageShape<D> & MessageInitShape<D>;

/** Says that `bytes` are the encoding of a message of this type; `encodeFragment` (encode.ts) encodes and marks in one step. */
export function fragment<D extends DescMessage>(_schema: D, bytes: Uint8Array): Fragment<D> {
  return new Encoded(bytes) as unknown as Fragment<D>;
}
