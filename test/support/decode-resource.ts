import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Resource } from "#core/edition/resource.ts";

/** The message inside a resource's Any. */
export function decodeResource<D extends DescMessage>(schema: D, resource: Resource): MessageShape<D> {
  return fromBinary(schema, fromBinary(AnySchema, resource.bytes).value);
}
