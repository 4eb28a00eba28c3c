import type { WireCursor } from "#core/lib/protobuf/wire-cursor.ts";

/** Looks at the value that a cursor stands on; returns the rule that it breaks, in words. */
export type Check = (value: WireCursor) => string | undefined;

/** One check of several: the first that is broken is told. */
export function allOf(checks: readonly Check[]): Check | undefined {
  if (checks.length < 2) return checks[0];
  return (value) => {
    for (const check of checks) {
      const broken = check(value);
      if (broken !== undefined) return broken;
    }
    return undefined;
  };
}
