import type { MessageInitShape } from "@bufbuild/protobuf";
import { HeaderValueOption_HeaderAppendAction, type HeaderValueOptionSchema } from "#proto/envoy/config/core/v3/base_pb.js";

/** What is done to the headers of a message, in this order. */
export interface HeaderEdits {
  readonly write: readonly HeaderWrite[];
  readonly remove: readonly string[];
}

export interface HeaderWrite {
  readonly name: string;
  readonly value: string;
  /** `overwrite` replaces all values of the header, `append` adds one. */
  readonly mode: "overwrite" | "append";
}

export function headerValueOptions(writes: readonly HeaderWrite[]): MessageInitShape<typeof HeaderValueOptionSchema>[] {
  return writes.map(({ name, value, mode }) => ({
    header: { key: name, value },
    appendAction:
      mode === "append"
        ? HeaderValueOption_HeaderAppendAction.APPEND_IF_EXISTS_OR_ADD
        : HeaderValueOption_HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD,
  }));
}
