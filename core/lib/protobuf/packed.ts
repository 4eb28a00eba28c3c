import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Fragment } from "./fragment.ts";

/** What stands for a `google.protobuf.Any` whose message is not encoded yet; made by `packed`. */
export class Packed {
  readonly schema: DescMessage;
  readonly message: unknown;

  constructor(schema: DescMessage, message: unknown) {
    this.schema = schema;
    this.message = message;
  }
}

/** Puts a literal (or a fragment) into an Any where it stands: it is encoded in place, together with what is around it, and never copied. */
export function packed<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Fragment<typeof AnySchema> {
  return new Packed(schema, message) as unknown as Fragment<typeof AnySchema>;
}

/** The type URL of a message, with the prefix that Envoy expects. */
export function typeUrl(schema: DescMessage): string {
  return `type.googleapis.com/${schema.typeName}`;
}
