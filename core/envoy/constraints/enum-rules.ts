import type { EnumRules } from "#proto/validate/validate_pb.js";
import type { Check } from "./check.ts";
import { allOf } from "./check.ts";

/** `defined` are the numbers of the enum's values. */
export function enumCheck(rules: EnumRules, defined: ReadonlySet<number>): Check | undefined {
  const checks: Check[] = [];
  if (rules.definedOnly) checks.push(({ low }) => (defined.has(low | 0) ? undefined : "must be a defined value"));
  if (rules.in.length > 0) checks.push(({ low }) => (rules.in.includes(low | 0) ? undefined : `must be one of ${rules.in.join(", ")}`));
  if (rules.notIn.length > 0) checks.push(({ low }) => (rules.notIn.includes(low | 0) ? `must not be ${low | 0}` : undefined));
  return allOf(checks);
}
