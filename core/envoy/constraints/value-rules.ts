import type { FieldRules } from "#proto/validate/validate_pb.js";
import type { Check } from "./check.ts";
import { enumCheck } from "./enum-rules.ts";
import { durationCheck, numberCheck } from "./number-rules.ts";
import { bytesCheck, stringCheck } from "./string-rules.ts";

/** The check that rules ask for on one bare value (a field, an element, a key); undefined when they ask for none that is kept here. */
export function valueCheck(rules: FieldRules, enumValues: ReadonlySet<number>): Check | undefined {
  const { type } = rules;
  switch (type.case) {
    case "string":
      return stringCheck(type.value);
    case "bytes":
      return bytesCheck(type.value);
    case "enum":
      return enumCheck(type.value, enumValues);
    case "duration":
      return durationCheck(type.value);
    case "bool":
      return boolCheck(type.value);
    case "repeated":
    case "map":
    case "any":
    case "timestamp":
    case undefined:
      return undefined;
    default:
      return numberCheck(type.case, type.value);
  }
}

function boolCheck(rules: { readonly const: boolean }): Check | undefined {
  if (!Object.hasOwn(rules, "const")) return undefined;
  const wanted = rules.const ? 1 : 0;
  return ({ value }) => (value === wanted ? undefined : `must be ${rules.const}`);
}
