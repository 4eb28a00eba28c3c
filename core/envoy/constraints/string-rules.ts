import type { WireCursor } from "#core/lib/protobuf/wire-cursor.ts";
import type { BytesRules, StringRules } from "#proto/validate/validate_pb.js";
import { KnownRegex } from "#proto/validate/validate_pb.js";
import type { Check } from "./check.ts";
import { allOf } from "./check.ts";

const TEXT = new TextDecoder();

function text({ bytes, start, end }: WireCursor): string {
  return TEXT.decode(bytes.subarray(start, end));
}

/** Lengths count characters or bytes; most rules are settled by looking at bytes alone. */
export function stringCheck(rules: StringRules): Check | undefined {
  const checks = [...lengthChecks(rules), ...contentChecks(rules), ...knownForms(rules)];
  const check = allOf(checks);
  return check === undefined || !rules.ignoreEmpty ? check : (value) => (value.start === value.end ? undefined : check(value));
}

function lengthChecks(rules: StringRules): Check[] {
  const checks: Check[] = [];
  const least = Number(rules.minLen);
  if (least === 1) checks.push(({ start, end }) => (end > start ? undefined : "must not be empty"));
  else if (least > 1) checks.push((value) => (characters(value) >= least ? undefined : `must have at least ${least} characters`));
  const most = Number(rules.maxLen);
  if (has(rules, "maxLen")) {
    checks.push((value) => (value.end - value.start <= most || characters(value) <= most ? undefined : `must have at most ${most} characters`));
  }
  const exact = Number(rules.len);
  if (has(rules, "len")) checks.push((value) => (characters(value) === exact ? undefined : `must have ${exact} characters`));
  return [...checks, ...byteLengths(rules)];
}

function byteLengths(rules: { readonly minBytes: bigint; readonly maxBytes: bigint }): Check[] {
  const checks: Check[] = [];
  const [least, most] = [Number(rules.minBytes), Number(rules.maxBytes)];
  if (has(rules, "minBytes")) checks.push(({ start, end }) => (end - start >= least ? undefined : `must have at least ${least} bytes`));
  if (has(rules, "maxBytes")) checks.push(({ start, end }) => (end - start <= most ? undefined : `must have at most ${most} bytes`));
  return checks;
}

function contentChecks(rules: StringRules): Check[] {
  const checks: Check[] = [];
  const add = (wanted: boolean, words: string, holds: (value: string) => boolean) => {
    if (wanted) checks.push((value) => (holds(text(value)) ? undefined : words));
  };
  add(has(rules, "const"), `must be ${rules.const}`, (value) => value === rules.const);
  add(has(rules, "prefix"), `must start with ${rules.prefix}`, (value) => value.startsWith(rules.prefix));
  add(has(rules, "suffix"), `must end with ${rules.suffix}`, (value) => value.endsWith(rules.suffix));
  add(has(rules, "contains"), `must contain ${rules.contains}`, (value) => value.includes(rules.contains));
  add(has(rules, "notContains"), `must not contain ${rules.notContains}`, (value) => !value.includes(rules.notContains));
  add(rules.in.length > 0, `must be one of ${rules.in.join(", ")}`, (value) => rules.in.includes(value));
  add(rules.notIn.length > 0, `must not be one of ${rules.notIn.join(", ")}`, (value) => !rules.notIn.includes(value));
  const pattern = has(rules, "pattern") ? new RegExp(rules.pattern, "u") : undefined;
  if (pattern !== undefined) add(true, `must match ${rules.pattern}`, (value) => pattern.test(value));
  return checks;
}

/** Header names and values (RFC 7230); "not strict" forbids only what would end a header. */
function knownForms({ wellKnown, strict }: StringRules): Check[] {
  if (wellKnown.case !== "wellKnownRegex") return [];
  const isName = wellKnown.value === KnownRegex.HTTP_HEADER_NAME;
  const words = isName ? "must be a header name" : "must be a header value";
  const allowed = strict ? (isName ? NAME_BYTES : VALUE_BYTES) : LINE_BYTES;
  return [
    ({ bytes, start, end }) => {
      if (isName && strict && start === end) return words;
      // A pseudo-header (":path") has a name, too.
      const from = isName && strict && bytes[start] === 0x3a && end > start + 1 ? start + 1 : start;
      for (let index = from; index < end; index++) if (allowed[bytes[index] ?? 0] === 0) return words;
      return undefined;
    },
  ];
}

const LINE_BYTES = table((byte) => byte !== 0 && byte !== 0x0a && byte !== 0x0d);
const VALUE_BYTES = table((byte) => (byte >= 0x20 || byte === 0x09) && byte !== 0x7f);
const NAME_BYTES = table((byte) => /^[0-9a-zA-Z!#$%&'*+,.^_|~`-]$/.test(String.fromCharCode(byte)));

/** 1 for each byte that is allowed. */
function table(allowed: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed(byte) ? 1 : 0));
}

export function bytesCheck(rules: BytesRules): Check | undefined {
  const checks: Check[] = [];
  const [least, most] = [Number(rules.minLen), Number(rules.maxLen)];
  if (has(rules, "minLen")) checks.push(({ start, end }) => (end - start >= least ? undefined : `must have at least ${least} bytes`));
  if (has(rules, "maxLen")) checks.push(({ start, end }) => (end - start <= most ? undefined : `must have at most ${most} bytes`));
  return allOf(checks);
}

function characters(value: WireCursor): number {
  return [...text(value)].length;
}

/** Rules are messages of proto2: what is not set is inherited, not own. */
function has<T extends object>(rules: T, name: keyof T): boolean {
  return Object.hasOwn(rules, name);
}
