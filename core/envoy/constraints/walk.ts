import type { DescMessage } from "@bufbuild/protobuf";
import { WireCursor } from "#core/lib/protobuf/wire-cursor.ts";
import { decodeText } from "#core/lib/protobuf/wire-view.ts";
import type { CountRule, FieldRule } from "./message-rules.ts";
import { messageRules } from "./message-rules.ts";
import type { TypeFinder } from "./type-finder.ts";
import type { Violation } from "./violation.ts";

interface Walk {
  readonly bytes: Uint8Array;
  readonly types: TypeFinder;
  readonly found: Violation[];
}

/** Follows an encoded message and what it holds, and collects the rules that it breaks. Nothing is decoded that no rule asks for. */
export function walkMessage(schema: DescMessage, bytes: Uint8Array, types: TypeFinder): readonly Violation[] {
  const walk = { bytes, types, found: [] };
  message(walk, schema, 0, bytes.length);
  return walk.found;
}

/** Likewise, for what is in a complete `google.protobuf.Any`. */
export function walkAny(bytes: Uint8Array, types: TypeFinder): readonly Violation[] {
  const walk = { bytes, types, found: [] };
  any(walk, 0, bytes.length);
  return walk.found;
}

function message(walk: Walk, schema: DescMessage, start: number, end: number): void {
  const rules = messageRules(schema);
  const fields = new WireCursor(walk.bytes, start, end);
  const counters: number[] = rules.counters === 0 ? NO_COUNTERS : new Array<number>(rules.counters).fill(0);
  while (fields.next()) {
    const rule = rules.fields[fields.number];
    if (rule === undefined) continue;
    if (rule.counter >= 0) counters[rule.counter] = (counters[rule.counter] ?? 0) + 1;
    const before = walk.found.length;
    FOLLOW[rule.kind](walk, rule, fields);
    if (walk.found.length > before) prefix(walk.found, before, rule.isList ? `${rule.name}[${indexOf(walk, fields, start)}]` : rule.name);
  }
  if (fields.broken) walk.found.push({ path: "", rule: "must be a well-formed message" });
  judgeCounts(walk, rules.counts, counters);
  if (rules.crossField !== undefined) walk.found.push(...rules.crossField(walk.bytes, start, end));
}

function judgeCounts(walk: Walk, rules: readonly CountRule[], counters: readonly number[]): void {
  for (const { counter, least, most, name, words } of rules) {
    const count = counters[counter] ?? 0;
    if (count < least || count > most) walk.found.push({ path: name, rule: words });
  }
}

const NO_COUNTERS: number[] = [];

const FOLLOW: Readonly<Record<FieldRule["kind"], (walk: Walk, rule: FieldRule, value: WireCursor) => void>> = {
  value: check,
  packed,
  wrapper,
  message: (walk, rule, value) => {
    check(walk, rule, value);
    if (rule.schema !== undefined) message(walk, rule.schema, value.start, value.end);
  },
  any: (walk, _, value) => any(walk, value.start, value.end),
  map: entry,
};

function check(walk: Walk, rule: FieldRule, value: WireCursor): void {
  const broken = rule.check?.(value);
  if (broken !== undefined) walk.found.push({ path: "", rule: broken });
}

function packed(walk: Walk, rule: FieldRule, value: WireCursor): void {
  if (value.wireType !== 2) {
    // One element of a list that could be packed and is not.
    check(walk, rule, value);
    return;
  }
  const elements = new WireCursor(walk.bytes, value.start, value.end);
  while (rule.check !== undefined && elements.nextBare()) check(walk, rule, elements);
}

function wrapper(walk: Walk, rule: FieldRule, value: WireCursor): void {
  const inner = new WireCursor(walk.bytes, value.start, value.end);
  // An empty wrapper holds the zero value, which a cursor shows before its first field.
  inner.next();
  check(walk, rule, inner);
}

/** google.protobuf.Any: type_url = 1, value = 2. */
function any(walk: Walk, from: number, to: number): void {
  const parts = new WireCursor(walk.bytes, from, to);
  let schema: DescMessage | undefined;
  let [start, end] = [to, to];
  while (parts.next()) {
    if (parts.number === 1) schema = walk.types.find(walk.bytes, parts.start, parts.end);
    else if (parts.number === 2) [start, end] = [parts.start, parts.end];
  }
  if (schema !== undefined) message(walk, schema, start, end);
}

/** An entry of a map: key = 1, value = 2. */
function entry(walk: Walk, rule: FieldRule, value: WireCursor): void {
  const before = walk.found.length;
  const parts = new WireCursor(walk.bytes, value.start, value.end);
  while (parts.next()) {
    if (parts.number === 2) mapValue(walk, rule, parts);
    else if (parts.number === 1) {
      const broken = rule.key?.(parts);
      if (broken !== undefined) walk.found.push({ path: "", rule: `key ${broken}` });
    }
  }
  if (walk.found.length > before) prefix(walk.found, before, `[${keyOf(walk, value)}]`);
}

function mapValue(walk: Walk, rule: FieldRule, value: WireCursor): void {
  check(walk, rule, value);
  if (rule.schema === undefined) return;
  if (rule.schema.typeName === "google.protobuf.Any") any(walk, value.start, value.end);
  else message(walk, rule.schema, value.start, value.end);
}

/** The key of an entry; only asked once a rule is broken. */
function keyOf(walk: Walk, value: WireCursor): string {
  const parts = new WireCursor(walk.bytes, value.start, value.end);
  while (parts.next()) if (parts.number === 1) return parts.wireType === 2 ? decodeText(walk.bytes, parts.start, parts.end) : String(parts.value);
  return "";
}

/** The position of the element at the cursor; only asked once a rule is broken. */
function indexOf(walk: Walk, at: WireCursor, start: number): number {
  const fields = new WireCursor(walk.bytes, start, at.start);
  let index = 0;
  while (fields.next()) if (fields.number === at.number && fields.start < at.start) index++;
  return index;
}

function prefix(found: Violation[], from: number, name: string): void {
  for (let index = from; index < found.length; index++) {
    const { path, rule } = found[index] as Violation;
    found[index] = { path: path === "" ? name : path.startsWith("[") ? name + path : `${name}.${path}`, rule };
  }
}
