import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { encodeAny } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { fragment } from "#core/lib/protobuf/fragment.ts";

/** A `google.protobuf.Any` that is encoded already. */
export type AnyMessage = Fragment<typeof AnySchema>;

/** Packs a message given as a plain literal, once: what is made of it is spliced wherever it stands. `packed` encodes in place instead. */
export function packAny<D extends DescMessage>(schema: D, message: MessageInitShape<D>): AnyMessage {
  return fragment(AnySchema, encodeAny(schema, message));
}
