import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/**
 * A message that is encoded already, or that knows how. It may stand wherever a literal of the message may (a field, an element of a list, a value of a
 * map, a case of a oneof): what recurs or rarely changes is encoded once. Its fields can't be read.
 */
export type Fragment<D extends DescMessage> = MessageShape<D> & MessageInitShape<D>;

/** The property by which the encoder knows a message that is encoded already. No protobuf field has such a name. */
export const ENCODED = "$encoded";

/** What stands under {@link ENCODED}: the bytes, or parts of them in order. */
export type EncodedBytes = Uint8Array | readonly Uint8Array[];

/**
 * Says that `bytes` are the encoding of a message of this type; `encodeFragment` (encode.ts) encodes and says so in one step. Bytes may come in parts that
 * were encoded apart, in the order of their fields' numbers: they are put together where the message is written.
 */
export function fragment<D extends DescMessage>(_schema: D, bytes: EncodedBytes): Fragment<D> {
  return { [ENCODED]: bytes } as unknown as Fragment<D>;
}
