import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { FieldWriter, MessageWriter } from "./field-writers.ts";
import { compileField, writePacked } from "./field-writers.ts";
import type { Packed } from "./packed.ts";
import type { Writer } from "./writer.ts";

/** A message literal, or a message. */
type Literal = Readonly<Record<string, unknown>>;

/** Writes one member of a message, if it is set: a field, or whichever field of a oneof. */
type Step = (writer: Writer, message: Literal) => void;

interface UnknownField {
  readonly no: number;
  readonly wireType: number;
  readonly data: Uint8Array;
}

const writers = new WeakMap<DescMessage, MessageWriter>();

/** The writer of a message type: made once, its fields compiled on first use. */
export function messageWriter(schema: DescMessage): MessageWriter {
  let writer = writers.get(schema);
  if (writer === undefined) {
    writer = makeWriter(schema);
    writers.set(schema, writer);
  }
  return writer;
}

function makeWriter(schema: DescMessage): MessageWriter {
  let steps: readonly Step[] | undefined;
  return {
    write: (writer, value) => {
      const message = value as Literal;
      steps ??= compileSteps(schema);
      // What a decoded message did not know comes last, as in protobuf-es.
      if (message.$unknown !== undefined) writeUnknown(writer, message.$unknown as readonly UnknownField[]);
      for (const step of steps) step(writer, message);
    },
  };
}

/** The fields of an Any around a message that is encoded in place. */
export function writeAny(writer: Writer, value: Packed): void {
  writePacked(writer, value, messageWriter);
}

function writeUnknown(writer: Writer, fields: readonly UnknownField[]): void {
  for (let index = fields.length - 1; index >= 0; index--) {
    const { no, wireType, data } = fields[index] as UnknownField;
    writer.raw(data);
    writer.varint(no * 8 + wireType);
  }
}

/** Steps in the order of writing: from the highest field number to the lowest. */
function compileSteps(schema: DescMessage): readonly Step[] {
  const fields = schema.fields.toSorted((a, b) => b.number - a.number);
  const steps: Step[] = [];
  for (let index = 0; index < fields.length; ) {
    const run = runOf(fields, index);
    const [first] = run;
    if (first === undefined) break;
    steps.push(first.oneof === undefined ? fieldStep(first) : oneofStep(first.oneof.localName, run));
    index += run.length;
  }
  return steps;
}

/** A field alone, or the neighbours that belong to the same oneof: of them at most one is set, so they share a step. */
function runOf(fields: readonly DescField[], start: number): readonly DescField[] {
  const oneof = fields[start]?.oneof;
  let end = start + 1;
  while (oneof !== undefined && fields[end]?.oneof === oneof) end++;
  return fields.slice(start, end);
}

function fieldStep(field: DescField): Step {
  const name = field.localName;
  const { write, isEmpty } = compileField(field, messageWriter);
  // Messages made by proto2 rules have the defaults of absent fields on their prototype.
  const inherits = (field.fieldKind === "scalar" || field.fieldKind === "enum") && field.presence !== 2;
  return (writer, message) => {
    const value = message[name];
    if (value === undefined || value === null || isEmpty(value) || (inherits && !Object.hasOwn(message, name))) return;
    write(writer, value);
  };
}

function oneofStep(name: string, fields: readonly DescField[]): Step {
  const cases = new Map<unknown, FieldWriter>(fields.map((field) => [field.localName, compileField(field, messageWriter)]));
  return (writer, message) => {
    const selected = message[name] as { readonly case?: string; readonly value?: unknown } | undefined;
    if (selected === undefined || selected === null) return;
    if (selected.value !== undefined) cases.get(selected.case)?.write(writer, selected.value);
  };
}
