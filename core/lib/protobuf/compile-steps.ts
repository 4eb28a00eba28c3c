import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { ENCODED } from "./fragment.ts";
import { PACKED } from "./packed.ts";
import { ENUM, scalarOf, WIRE_BYTES } from "./scalar.ts";
import type { MapKey, Step, ValuePlan } from "./step-plan.ts";

// FieldPresence.IMPLICIT of google/protobuf/descriptor.proto.
const IMPLICIT = 2;

const NO_VALUE: ValuePlan = { form: "scalar", tag: 0, scalar: ENUM, schema: undefined, plan: undefined };
const NO_CASES: ReadonlyMap<string, ValuePlan> = new Map();

/** The steps of a message type in the order of writing: what was not known when it was decoded, then fields from the highest number to the lowest. */
export function compileSteps(schema: DescMessage): readonly Step[] {
  const fields = schema.fields.toSorted((a, b) => b.number - a.number);
  const steps: Step[] = [special(ENCODED, "encoded"), special("$unknown", "unknown")];
  if (schema.typeName === "google.protobuf.Any") steps.push(special(PACKED, "packed"));
  for (let index = 0; index < fields.length; ) {
    const run = runOf(fields, index);
    const [first] = run;
    if (first === undefined) break;
    steps.push(first.oneof === undefined ? fieldStep(first) : oneofStep(first.oneof.localName, run));
    index += run.length;
  }
  return steps;
}

function runOf(fields: readonly DescField[], start: number): readonly DescField[] {
  const oneof = fields[start]?.oneof;
  let end = start + 1;
  while (oneof !== undefined && fields[end]?.oneof === oneof) end++;
  return fields.slice(start, end);
}

function special(name: string, mode: Step["mode"]): Step {
  return { name, mode, value: NO_VALUE, key: undefined, entryTag: 0, cases: NO_CASES };
}

function oneofStep(name: string, fields: readonly DescField[]): Step {
  const cases = new Map(fields.map((field) => [field.localName, valuePlan(field)]));
  return { name, mode: "oneof", value: NO_VALUE, key: undefined, entryTag: 0, cases };
}

function fieldStep(field: DescField): Step {
  const step = { name: field.localName, value: valuePlan(field), key: undefined, entryTag: 0, cases: NO_CASES };
  switch (field.fieldKind) {
    case "list": {
      const packs = field.listKind !== "message" && field.packed;
      return packs ? { ...step, mode: "packed list", value: { ...step.value, tag: field.number * 8 + WIRE_BYTES } } : { ...step, mode: "list" };
    }
    case "map":
      return { ...step, mode: "map", key: mapKey(field.mapKey), entryTag: field.number * 8 + WIRE_BYTES };
    case "message":
      return { ...step, mode: "present" };
    default:
      return { ...step, mode: field.presence === IMPLICIT ? "implicit" : "own" };
  }
}

const LONG: ReadonlySet<ScalarType> = new Set([ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64, ScalarType.SFIXED64]);

function mapKey(type: ScalarType): MapKey {
  const scalar = scalarOf(type);
  const key = { tag: 8 + scalar.wireType, scalar };
  if (type === ScalarType.STRING) return { ...key, isText: true, parse: (name) => name };
  if (type === ScalarType.BOOL) return { ...key, isText: true, parse: (name) => name === "true" };
  return { ...key, isText: false, parse: LONG.has(type) ? BigInt : Number };
}

/** One value of a field: the field itself, an element of a list, the value of a map entry. */
function valuePlan(field: DescField): ValuePlan {
  // The value of a map entry is its field 2.
  const number = field.fieldKind === "map" ? 2 : field.number;
  if (field.message === undefined) {
    const scalar = field.scalar === undefined ? ENUM : scalarOf(field.scalar);
    return { form: "scalar", tag: number * 8 + scalar.wireType, scalar, schema: undefined, plan: undefined };
  }
  const form = messageForm(field, field.message);
  const inner = field.message.fields[0]?.scalar;
  return { form, tag: number * 8 + WIRE_BYTES, scalar: inner === undefined ? ENUM : scalarOf(inner), schema: field.message, plan: undefined };
}

/** Generated types hold some messages in another form: wrappers as their bare value, a Struct as a JSON object. */
function messageForm(field: DescField, schema: DescMessage): ValuePlan["form"] {
  if (field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(schema)) return "wrapper";
  if (schema.typeName === "google.protobuf.Struct" && field.parent.typeName !== "google.protobuf.Value") return "struct";
  return "delimitedEncoding" in field && field.delimitedEncoding ? "group" : "message";
}
