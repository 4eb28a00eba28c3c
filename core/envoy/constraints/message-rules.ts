import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { WireCursor } from "#core/lib/protobuf/wire-cursor.ts";
import type { FieldRules } from "#proto/validate/validate_pb.js";
import { required as requiredOption, rules as rulesOption } from "#proto/validate/validate_pb.js";
import type { Check } from "./check.ts";
import type { CrossFieldRule } from "./cross-field.ts";
import { crossFieldRule } from "./cross-field.ts";
import { valueCheck } from "./value-rules.ts";

/** What Envoy asks of the messages of one type (the `validate.rules` options of its API), in the form that `walk.ts` follows. */
export interface MessageRules {
  /** By field number. */
  readonly fields: readonly (FieldRule | undefined)[];
  /** How often fields must occur, each at the place of its counter. */
  readonly counts: readonly CountRule[];
  /** Counters (one bit each) of what must occur at all: mostly there is nothing else to ask. */
  readonly required: number;
  /** Is anything bounded by another number? */
  readonly bounded: boolean;
  /** What Envoy's code asks beyond the options. */
  readonly crossField: CrossFieldRule | undefined;
}

export interface FieldRule {
  readonly name: string;
  readonly kind: "value" | "packed" | "wrapper" | "message" | "any" | "map";
  readonly isList: boolean;
  /** The counter of occurrences, shared by the fields of a oneof; -1 when nobody asks. */
  readonly counter: number;
  /** Of a value, an element, or what a wrapper holds. */
  readonly check: Check | undefined;
  /** Of messages and of messages in maps; undefined when nothing is asked of their fields. */
  readonly inside: Inside | undefined;
  readonly key: Check | undefined;
}

/** What is asked of the messages that a field holds. Found when it is needed: types hold each other. */
export type Inside = { readonly kind: "any" } | { readonly kind: "message"; readonly rules: MessageRules };

export interface CountRule {
  readonly name: string;
  readonly counter: number;
  readonly least: number;
  readonly most: number;
  readonly words: string;
}

const compiled = new WeakMap<DescMessage, MessageRules>();

export function messageRules(schema: DescMessage): MessageRules {
  let rules = compiled.get(schema);
  if (rules === undefined) {
    rules = compile(schema);
    compiled.set(schema, rules);
  }
  return rules;
}

function compile(schema: DescMessage): MessageRules {
  const counts: CountRule[] = schema.oneofs.filter(isRequired).map((oneof, counter) => ({ ...AT_LEAST_ONE, name: oneof.name, counter }));
  const fields: (FieldRule | undefined)[] = [];
  for (const field of schema.fields) {
    const rules = hasOption(field, rulesOption) ? getOption(field, rulesOption) : undefined;
    const wanted = rules === undefined ? undefined : countRule(field, rules);
    if (wanted !== undefined) counts.push({ ...wanted, name: field.jsonName, counter: counts.length });
    const counter = wanted === undefined ? counts.findIndex(({ name }) => name === field.oneof?.name) : counts.length - 1;
    const rule = fieldRule(field, rules, counter);
    if (asksAnything(rule)) fields[field.number] = rule;
  }
  if (counts.length > MOST_COUNTERS) throw new Error(`${schema.typeName} asks for ${counts.length} fields: more than the walk can count`);
  const required = counts.reduce((mask, { least }, counter) => (least > 0 ? mask | (1 << counter) : mask), 0);
  const bounded = counts.some(({ least, most }) => least > 1 || most < Number.POSITIVE_INFINITY);
  return { fields, counts, required, bounded, crossField: crossFieldRule(schema) };
}

/** Bits of a number. */
const MOST_COUNTERS = 31;

function isRequired(oneof: DescOneof): boolean {
  return hasOption(oneof, requiredOption) && getOption(oneof, requiredOption);
}

function asksAnything({ counter, check, key, inside, kind }: FieldRule): boolean {
  return counter >= 0 || check !== undefined || key !== undefined || inside !== undefined || kind === "any";
}

type Wanted = Omit<CountRule, "name" | "counter">;

const AT_LEAST_ONE: Wanted = { least: 1, most: Number.POSITIVE_INFINITY, words: "must be set" };

/** How often a field must occur: "required", the sizes of lists and maps, and values whose absence breaks their own rule. */
function countRule(field: DescField, rules: FieldRules): Wanted | undefined {
  const { type } = rules;
  if (type.case === "repeated") return sizes(own(type.value, "minItems"), own(type.value, "maxItems"));
  if (type.case === "map") return sizes(own(type.value, "minPairs"), own(type.value, "maxPairs"));
  // A field of a oneof is only asked about once it is chosen.
  if (field.oneof !== undefined) return undefined;
  const mustBeSet = rules.message?.required === true || ((type.case === "any" || type.case === "duration") && type.value.required);
  if (mustBeSet) return AT_LEAST_ONE;
  if (field.fieldKind === "message" || field.presence !== IMPLICIT) return undefined;
  const broken = valueCheck(rules, enumValues(field))?.(new WireCursor(NOTHING));
  return broken === undefined ? undefined : { ...AT_LEAST_ONE, words: broken };
}

function sizes(least: bigint | undefined, most: bigint | undefined): Wanted | undefined {
  if (least === undefined && most === undefined) return undefined;
  const words = most === undefined ? `must have at least ${least}` : `must have ${least ?? 0} to ${most}`;
  return { least: Number(least ?? 0), most: Number(most ?? Number.POSITIVE_INFINITY), words };
}

// FieldPresence.IMPLICIT of google/protobuf/descriptor.proto: an absent field has its zero value.
const IMPLICIT = 2;
const NOTHING = new Uint8Array();

function own<T extends object, K extends keyof T>(rules: T, name: K): T[K] | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

function fieldRule(field: DescField, rules: FieldRules | undefined, counter: number): FieldRule {
  const elements = elementRules(rules);
  const check = elements === undefined ? undefined : valueCheck(elements, enumValues(field));
  const keys = rules?.type.case === "map" ? rules.type.value.keys : undefined;
  const kind = kindOf(field);
  const skips = elements?.message?.skip === true || rules?.message?.skip === true;
  const looksInto = kind === "message" || kind === "map";
  return {
    name: field.jsonName,
    kind,
    isList: field.fieldKind === "list",
    counter,
    check,
    inside: looksInto && !skips && field.message !== undefined && isRuled(field.message) ? insideOf(field.message) : undefined,
    key: keys === undefined ? undefined : valueCheck(keys, NO_VALUES),
  };
}

function insideOf(schema: DescMessage): Inside {
  if (schema.typeName === ANY) return { kind: "any" };
  return new Holder(schema);
}

/** Compiles the rules of a type when a message of it is met. */
class Holder {
  readonly kind = "message";
  readonly #schema: DescMessage;
  #rules: MessageRules | undefined;

  constructor(schema: DescMessage) {
    this.#schema = schema;
  }

  get rules(): MessageRules {
    this.#rules ??= messageRules(this.#schema);
    return this.#rules;
  }
}

const ANY = "google.protobuf.Any";

function kindOf(field: DescField): FieldRule["kind"] {
  const { message } = field;
  if (field.fieldKind === "map") return "map";
  if (message === undefined) return field.fieldKind === "list" && field.packed ? "packed" : "value";
  if (isWrapperDesc(message)) return "wrapper";
  return message.typeName === ANY ? "any" : "message";
}

function elementRules(rules: FieldRules | undefined): FieldRules | undefined {
  if (rules?.type.case === "repeated") return rules.type.value.items;
  if (rules?.type.case === "map") return rules.type.value.values;
  return rules;
}

const NO_VALUES: ReadonlySet<number> = new Set();

function enumValues(field: DescField): ReadonlySet<number> {
  return field.enum === undefined ? NO_VALUES : new Set(field.enum.values.map((value) => value.number));
}

const ruled = new WeakMap<DescMessage, boolean>();

/** Whether anything is asked of messages of this type, or of what they may hold: the others are passed over unread. */
function isRuled(schema: DescMessage): boolean {
  let known = ruled.get(schema);
  if (known === undefined) {
    known = reachesRule(schema, new Set());
    ruled.set(schema, known);
  }
  return known;
}

function reachesRule(schema: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema.typeName === ANY || crossFieldRule(schema) !== undefined) return true;
  return (
    schema.oneofs.some((oneof) => hasOption(oneof, requiredOption)) ||
    schema.fields.some((field) => hasOption(field, rulesOption) || (field.message !== undefined && reachesRule(field.message, seen)))
  );
}
