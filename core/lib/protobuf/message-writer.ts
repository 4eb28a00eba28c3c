import type { DescMessage } from "@bufbuild/protobuf";
import { closeMessage, writeText } from "./by-hand.ts";
import { compileSteps } from "./compile-steps.ts";
import type { EncodedBytes } from "./fragment.ts";
import { ENCODED } from "./fragment.ts";
import type { Packed } from "./packed.ts";
import { typeUrl } from "./packed.ts";
import { WIRE_GROUP_END, WIRE_GROUP_START } from "./scalar.ts";
import { sortedKeys } from "./sorted-keys.ts";
import type { Literal, MapKey, Step, ValuePlan } from "./step-plan.ts";
import { StepPlan } from "./step-plan.ts";
import { writeStruct } from "./struct-writer.ts";
import { Writer } from "./writer.ts";

interface UnknownField {
  readonly no: number;
  readonly wireType: number;
  readonly data: Uint8Array;
}

const plans = new WeakMap<DescMessage, StepPlan>();

/** Writes the fields of a message, without length and tag. Types are compiled when they are first met. */
export function writeFields(writer: Writer, schema: DescMessage, message: Literal): void {
  writePlanned(writer, planOf(schema), message);
}

function planOf(schema: DescMessage): StepPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = new StepPlan(compileSteps(schema));
    plans.set(schema, plan);
  }
  return plan;
}

function writePlanned(writer: Writer, plan: StepPlan, message: Literal): void {
  const steps = plan.stepsFor(message);
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as Step;
    const value = message[step.name];
    if (value === undefined || value === null || (step.mode === "own" && !Object.hasOwn(message, step.name))) continue;
    writeStep(writer, step, value);
  }
}

function writeStep(writer: Writer, step: Step, value: unknown): void {
  switch (step.mode) {
    case "implicit":
      if (!step.value.scalar.isZero(value)) writeValue(writer, step.value, value);
      break;
    case "own":
    case "present":
      writeValue(writer, step.value, value);
      break;
    case "oneof":
      writeCase(writer, step.cases, value as { readonly case?: string; readonly value?: unknown });
      break;
    case "list":
      writeList(writer, step.value, value as readonly unknown[]);
      break;
    case "packed list":
      writePackedList(writer, step.value, value as readonly unknown[]);
      break;
    case "map":
      writeMap(writer, step, value as Literal);
      break;
    case "encoded":
      writeEncoded(writer, value as EncodedBytes);
      break;
    case "packed":
      writePacked(writer, value as Packed);
      break;
    case "unknown":
      writeUnknown(writer, value as readonly UnknownField[]);
      break;
  }
}

function writeEncoded(writer: Writer, bytes: EncodedBytes): void {
  if (bytes instanceof Uint8Array) {
    writer.raw(bytes);
    return;
  }
  for (let index = bytes.length - 1; index >= 0; index--) writer.raw(bytes[index] as Uint8Array);
}

/** A value with its tag after (that is, before) it. */
function writeValue(writer: Writer, plan: ValuePlan, value: unknown): void {
  if (plan.form === "scalar") {
    plan.scalar.write(writer, value);
    writer.varint(plan.tag);
    return;
  }
  const mark = writer.size;
  if (plan.form === "message") {
    plan.plan ??= planOf(plan.schema as DescMessage);
    writePlanned(writer, plan.plan, value as Literal);
  } else if (plan.form === "wrapper") writeWrapped(writer, plan, value);
  else if (plan.form === "struct") writeJson(writer, value as Literal);
  else {
    writeGroup(writer, plan, value as Literal);
    return;
  }
  closeMessage(writer, mark, plan.tag);
}

function writeWrapped(writer: Writer, { scalar }: ValuePlan, value: unknown): void {
  if (scalar.isZero(value)) return;
  scalar.write(writer, value);
  writer.byte(8 + scalar.wireType);
}

function writeJson(writer: Writer, value: Literal): void {
  const bytes = value[ENCODED];
  if (bytes instanceof Uint8Array || Array.isArray(bytes)) writeEncoded(writer, bytes);
  else writeStruct(writer, value);
}

function writeGroup(writer: Writer, plan: ValuePlan, value: Literal): void {
  const number = plan.tag >>> 3;
  writer.varint(number * 8 + WIRE_GROUP_END);
  writeFields(writer, plan.schema as DescMessage, value);
  writer.varint(number * 8 + WIRE_GROUP_START);
}

function writeCase(writer: Writer, cases: Step["cases"], selected: { readonly case?: string; readonly value?: unknown }): void {
  const plan = cases.get(selected.case);
  const value = selected.value;
  if (plan !== undefined && value !== undefined && value !== null) writeValue(writer, plan, value);
}

function writeList(writer: Writer, plan: ValuePlan, items: readonly unknown[]): void {
  for (let index = items.length - 1; index >= 0; index--) writeValue(writer, plan, items[index]);
}

function writePackedList(writer: Writer, plan: ValuePlan, items: readonly unknown[]): void {
  if (items.length === 0) return;
  const mark = writer.size;
  for (let index = items.length - 1; index >= 0; index--) plan.scalar.write(writer, items[index]);
  closeMessage(writer, mark, plan.tag);
}

function writeMap(writer: Writer, { value: plan, key: keyPlan, entryTag }: Step, record: Literal): void {
  const key = keyPlan as MapKey;
  const names = key.isText ? sortedKeys(record) : numericKeys(record);
  for (let index = names.length - 1; index >= 0; index--) {
    const name = names[index] as string;
    const item = record[name];
    if (item === undefined || item === null) continue;
    const mark = writer.size;
    writeValue(writer, plan, item);
    key.scalar.write(writer, key.parse(name));
    writer.byte(key.tag);
    closeMessage(writer, mark, entryTag);
  }
}

function numericKeys(record: Literal): readonly string[] {
  return Object.keys(record).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}

// google.protobuf.Any: type_url = 1, value = 2.
const TAG_TYPE_URL = 0x0a;
const TAG_VALUE = 0x12;

/** The fields of an Any around a message that is encoded in place; an empty value is left out, as in any field without presence. */
function writePacked(writer: Writer, { schema, message }: Packed): void {
  const mark = writer.size;
  writeFields(writer, schema, message as Literal);
  writeAnyAround(writer, schema, mark);
}

/** The fields of an Any around the message that was written since `mark`. */
export function writeAnyAround(writer: Writer, schema: DescMessage, mark: number): void {
  writeAnyHead(writer, schema, writer.size - mark);
}

/** What stands before a message of `length` bytes in an Any. */
export function writeAnyHead(writer: Writer, schema: DescMessage, length: number): void {
  if (length > 0) {
    writer.varint(length);
    writer.byte(TAG_VALUE);
  }
  writer.raw(typeField(schema));
}

/** The field with the type URL, encoded: every Any of a type begins with it. */
function typeField(schema: DescMessage): Uint8Array {
  let field = typeFields.get(schema);
  if (field === undefined) {
    // Apart: the message around it is being written.
    const apart = new Writer();
    writeText(apart, typeUrl(schema), TAG_TYPE_URL);
    field = apart.finish().slice();
    typeFields.set(schema, field);
  }
  return field;
}

const typeFields = new WeakMap<DescMessage, Uint8Array>();

function writeUnknown(writer: Writer, fields: readonly UnknownField[]): void {
  for (let index = fields.length - 1; index >= 0; index--) {
    const { no, wireType, data } = fields[index] as UnknownField;
    writer.raw(data);
    writer.varint(no * 8 + wireType);
  }
}
