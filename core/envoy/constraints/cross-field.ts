import type { DescMessage } from "@bufbuild/protobuf";
import { WireView } from "#core/lib/protobuf/wire-view.ts";
import { CLUSTER_RULES } from "./cluster-rules.ts";
import { LISTENER_RULES } from "./listener-rules.ts";
import { ROUTE_RULES } from "./route-rules.ts";
import type { Violation } from "./violation.ts";

/** Looks at an encoded message as a whole. */
export type CrossFieldRule = (bytes: Uint8Array, start: number, end: number) => readonly Violation[];

const RULES: ReadonlyMap<string, (message: WireView) => readonly Violation[]> = new Map(
  [...ROUTE_RULES, ...CLUSTER_RULES, ...LISTENER_RULES].map(([schema, rule]) => [schema.typeName, rule]),
);

/** What Envoy's code asks of messages of a type, over several fields: its API's options can't say it. */
export function crossFieldRule(schema: DescMessage): CrossFieldRule | undefined {
  const rule = RULES.get(schema.typeName);
  return rule === undefined ? undefined : (bytes, start, end) => rule(new WireView(bytes, start, end));
}
