import fc from "fast-check";

/** ALMANAC_THOROUGH=1 asks for long runs. */
export const isThorough = process.env.ALMANAC_THOROUGH === "1";

/** From which random values are made: always the same ones, unless ALMANAC_SEED gives another number. */
export const SEED = Number(process.env.ALMANAC_SEED ?? 11);

/** Tries a property `few` times, or with ALMANAC_THOROUGH=1 `many` times. */
export function holds<T>(property: fc.IRawProperty<T>, few: number, many: number): void {
  fc.assert(property, { numRuns: isThorough ? many : few, seed: SEED, endOnFailure: true, includeErrorInReport: true });
}

/** A `few` random values, or with ALMANAC_THOROUGH=1 `many`: for what waits, and so can't be a property. */
export function samples<T>(arbitrary: fc.Arbitrary<T>, few: number, many: number): readonly T[] {
  return fc.sample(arbitrary, { numRuns: isThorough ? many : few, seed: SEED });
}
