import type { DescMessage } from "@bufbuild/protobuf";
import type { WireView } from "#core/lib/protobuf/wire-view.ts";
import type { Violation } from "./violation.ts";

/** A rule over several fields of the messages of a type; each is proven with a real Envoy in test/conformance/envoy-constraints.test.ts. */
export type MessageRule = readonly [schema: DescMessage, broken: (message: WireView) => readonly Violation[]];

export const MOST_UINT32 = 4_294_967_295;

/** A `google.protobuf.Duration` in seconds. */
export function durationOf(message: WireView | undefined): number | undefined {
  return message === undefined ? undefined : (message.number(1) ?? 0) + (message.number(2) ?? 0) / 1e9;
}
