import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { encode } from "#core/lib/protobuf/encode.ts";

/** A `google.protobuf.Any` as a plain literal. */
export interface AnyMessage {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/** Packs a message given as a plain literal, with the type URL prefix that Envoy expects (`type.googleapis.com/`). */
export function packAny<D extends DescMessage>(schema: D, message: MessageInitShape<D>): AnyMessage {
  return { typeUrl: typeUrl(schema), value: encode(schema, message) };
}

export function typeUrl(schema: DescMessage): string {
  return `type.googleapis.com/${schema.typeName}`;
}
