import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Fragment } from "./fragment.ts";

/** The property by which the encoder knows an Any whose message is not encoded yet. */
export const PACKED = "$packed";

export interface Packed {
  readonly schema: DescMessage;
  readonly message: unknown;
}

/** Puts a literal (or a fragment) into an Any where it stands: it is encoded in place, together with what is around it, and never copied. */
export function packed<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Fragment<typeof AnySchema> {
  const value: Packed = { schema, message };
  return { [PACKED]: value } as unknown as Fragment<typeof AnySchema>;
}

/** The type URL of a message, with the prefix that Envoy expects. */
export function typeUrl(schema: DescMessage): string {
  return `type.googleapis.com/${schema.typeName}`;
}
