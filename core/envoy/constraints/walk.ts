import type { DescMessage } from "@bufbuild/protobuf";
import { WireCursor } from "#core/lib/protobuf/wire-cursor.ts";
import { decodeText } from "#core/lib/protobuf/wire-view.ts";
import type { FieldRule, Inside, MessageRules } from "./message-rules.ts";
import { messageRules } from "./message-rules.ts";
import type { TypeFinder } from "./type-finder.ts";
import type { Violation } from "./violation.ts";

/** One judgement: the bytes, what was found, and the cursors that read messages in messages, one for each depth. */
class Walk {
  readonly bytes: Uint8Array;
  readonly types: TypeFinder;
  readonly found: Violation[] = [];
  #depth = 0;

  constructor(bytes: Uint8Array, types: TypeFinder) {
    this.bytes = bytes;
    this.types = types;
  }

  /** A cursor of the message between two positions; it is free again after {@link leave}. */
  enter(start: number, end: number): WireCursor {
    let cursor = CURSORS[this.#depth];
    if (cursor === undefined) {
      cursor = new WireCursor(this.bytes, start, end);
      CURSORS.push(cursor);
    } else cursor.reset(this.bytes, start, end);
    this.#depth++;
    return cursor;
  }

  leave(): void {
    this.#depth--;
  }
}

/** Judgements follow each other: they share the cursors, of which there would be millions. */
const CURSORS: WireCursor[] = [];

/** Follows an encoded message and what it holds, and collects the rules that it breaks. Nothing is decoded that no rule asks for. */
export function walkMessage(schema: DescMessage, bytes: Uint8Array, types: TypeFinder): readonly Violation[] {
  const walk = new Walk(bytes, types);
  message(walk, messageRules(schema), 0, bytes.length);
  return walk.found;
}

/** Likewise, for what is in a complete `google.protobuf.Any`. */
export function walkAny(bytes: Uint8Array, types: TypeFinder): readonly Violation[] {
  const walk = new Walk(bytes, types);
  any(walk, 0, bytes.length);
  return walk.found;
}

function message(walk: Walk, rules: MessageRules, start: number, end: number): void {
  const fields = walk.enter(start, end);
  const times = rules.bounded ? rules.counts.map(() => 0) : undefined;
  let seen = 0;
  while (fields.next()) {
    const rule = rules.fields[fields.number];
    if (rule === undefined) continue;
    if (rule.counter >= 0) {
      seen |= 1 << rule.counter;
      if (times !== undefined) times[rule.counter] = (times[rule.counter] ?? 0) + 1;
    }
    field(walk, rule, fields, start);
  }
  if (fields.broken) walk.found.push({ path: "", rule: "must be a well-formed message" });
  walk.leave();
  judgeOccurrences(walk, rules, seen, times);
  if (rules.crossField !== undefined) walk.found.push(...rules.crossField(walk.bytes, start, end));
}

/** The field at the cursor; `start` is where its message starts. */
function field(walk: Walk, rule: FieldRule, value: WireCursor, start: number): void {
  const before = walk.found.length;
  follow(walk, rule, value);
  if (walk.found.length > before) prefix(walk.found, before, rule.isList ? `${rule.name}[${indexOf(walk, value, start)}]` : rule.name);
}

/** `seen` has the bit of each counter whose field occurred; `times` says how often, where that matters. */
function judgeOccurrences(walk: Walk, { counts, required }: MessageRules, seen: number, times: readonly number[] | undefined): void {
  if (times === undefined && (seen & required) === required) return;
  for (const { counter, least, most, name, words } of counts) {
    const count = times?.[counter] ?? (seen >> counter) & 1;
    if (count < least || count > most) walk.found.push({ path: name, rule: words });
  }
}

function follow(walk: Walk, rule: FieldRule, value: WireCursor): void {
  switch (rule.kind) {
    case "value":
      check(walk, rule, value);
      break;
    case "packed":
      packed(walk, rule, value);
      break;
    case "wrapper":
      wrapper(walk, rule, value);
      break;
    case "message":
      check(walk, rule, value);
      look(walk, rule.inside, value);
      break;
    case "any":
      any(walk, value.start, value.end);
      break;
    case "map":
      entry(walk, rule, value);
      break;
  }
}

function look(walk: Walk, inside: Inside | undefined, { start, end }: WireCursor): void {
  if (inside === undefined) return;
  if (inside.kind === "any") any(walk, start, end);
  else message(walk, inside.rules, start, end);
}

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
  const elements = walk.enter(value.start, value.end);
  while (rule.check !== undefined && elements.nextBare()) check(walk, rule, elements);
  walk.leave();
}

function wrapper(walk: Walk, rule: FieldRule, value: WireCursor): void {
  if (rule.check === undefined) return;
  // An empty wrapper holds the zero value, which a fresh cursor shows.
  check(walk, rule, value.start === value.end ? EMPTY : first(walk, value));
}

const EMPTY = new WireCursor(new Uint8Array());

/** The first field of a message, until another is entered. */
function first(walk: Walk, { start, end }: WireCursor): WireCursor {
  const inner = walk.enter(start, end);
  inner.next();
  walk.leave();
  return inner;
}

/** google.protobuf.Any: type_url = 1, value = 2. */
function any(walk: Walk, from: number, to: number): void {
  const parts = walk.enter(from, to);
  let schema: DescMessage | undefined;
  let [start, end] = [to, to];
  while (parts.next()) {
    if (parts.number === 1) schema = walk.types.find(walk.bytes, parts.start, parts.end);
    else if (parts.number === 2) [start, end] = [parts.start, parts.end];
  }
  walk.leave();
  if (schema !== undefined) message(walk, messageRules(schema), start, end);
}

/** An entry of a map: key = 1, value = 2. */
function entry(walk: Walk, rule: FieldRule, value: WireCursor): void {
  const before = walk.found.length;
  const parts = walk.enter(value.start, value.end);
  while (parts.next()) {
    if (parts.number === 2) {
      check(walk, rule, parts);
      look(walk, rule.inside, parts);
    } else if (parts.number === 1) {
      const broken = rule.key?.(parts);
      if (broken !== undefined) walk.found.push({ path: "", rule: `key ${broken}` });
    }
  }
  walk.leave();
  if (walk.found.length > before) prefix(walk.found, before, `[${keyOf(walk, value)}]`);
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
