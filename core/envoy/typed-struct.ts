import type { JsonObject } from "@bufbuild/protobuf";
import { TypedStructSchema } from "#proto/udpa/type/v1/typed_struct_pb.js";
import { type AnyMessage, packAny } from "./any.ts";

/** Configuration of a type whose schema the control plane does not know, in its JSON form (udpa.type.v1.TypedStruct). */
export function typedStruct(type: string, value: JsonObject): AnyMessage {
  return packAny(TypedStructSchema, { typeUrl: `type.googleapis.com/${type}`, value });
}
