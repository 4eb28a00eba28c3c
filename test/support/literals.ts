import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";

/** Arbitrary literals of a message type, from its descriptor: a few fields each, nested up to `depth`, in every form that a literal may take. */
export function literalsOf(schema: DescMessage, depth = 4): fc.Arbitrary<Record<string, unknown>> {
  const candidates = depth > 0 ? schema.fields : schema.fields.filter((field) => field.message === undefined);
  return fc.shuffledSubarray(candidates, { maxLength: Math.min(6, candidates.length) }).chain((fields) =>
    fc.tuple(...fields.map((field) => valuesOf(field, depth))).map((values) => {
      const literal: Record<string, unknown> = {};
      fields.forEach((field, index) => {
        // A later field of a oneof replaces an earlier one.
        if (field.oneof === undefined) literal[field.localName] = values[index];
        else literal[field.oneof.localName] = { case: field.localName, value: values[index] };
      });
      return literal;
    }),
  );
}

function valuesOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case "scalar":
      return scalars(field.scalar);
    case "enum":
      return fc.constantFrom(...field.enum.values.map((value) => value.number), ...(field.enum.open ? [12_345, -1] : []));
    case "message": {
      const [inner] = field.message.fields;
      if (field.oneof === undefined && isWrapperDesc(field.message) && inner?.scalar !== undefined) return scalars(inner.scalar);
      return messages(field, field.message, depth);
    }
    case "list":
      return fc.array(elements(field, depth), { maxLength: 3 });
    case "map":
      return fc.array(fc.tuple(keys(field.mapKey), elements(field, depth)), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
  }
}

function elements(field: DescField & { fieldKind: "list" | "map" }, depth: number): fc.Arbitrary<unknown> {
  if (field.message !== undefined) return messages(field, field.message, depth);
  if (field.scalar !== undefined) return scalars(field.scalar);
  return fc.nat({ max: 5 });
}

function messages(field: DescField, schema: DescMessage, depth: number): fc.Arbitrary<unknown> {
  if (schema.typeName === "google.protobuf.Struct" && field.parent.typeName !== "google.protobuf.Value") {
    return fc.object({ key: names(), values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null)], maxDepth: 3, maxKeys: 4 });
  }
  return literalsOf(schema, depth - 1);
}

/** Without whole numbers: an object lists those first, whatever the order in which they were put in. */
function names(): fc.Arbitrary<string> {
  return fc.string({ maxLength: 6, unit: "grapheme" }).filter((name) => !/^\d+$/.test(name));
}

function keys(type: ScalarType): fc.Arbitrary<string> {
  if (type === ScalarType.STRING) return names();
  if (type === ScalarType.BOOL) return fc.constantFrom("true", "false");
  return fc.nat().map(String);
}

function scalars(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return fc.oneof(fc.string({ maxLength: 12 }), fc.string({ maxLength: 300, unit: "grapheme" }), fc.constant(""));
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 20 });
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.FLOAT:
      return fc.float();
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return fc.oneof(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), fc.bigInt({ min: -3n, max: 300n }));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.oneof(fc.nat({ max: 2 ** 32 - 1 }), fc.nat({ max: 300 }));
    default:
      return fc.oneof(fc.integer(), fc.integer({ min: -3, max: 300 }));
  }
}
