import fc from "fast-check";

/** ALMANAC_THOROUGH=1 asks for long runs. */
export const isThorough = process.env.ALMANAC_THOROUGH === "1";

/**
 * All of what there is to go through, or with ALMANAC_SHARD=2/6 the second of six parts of about one size: for long runs, side by side or one after the other.
 * Throws for what is no part.
 */
export function shard<T>(all: readonly T[]): readonly T[] {
  const [, part = "", parts = ""] = /^(\d+)\/(\d+)$/.exec(process.env.ALMANAC_SHARD ?? "1/1") ?? [];
  const [which, of] = [Number(part), Number(parts)];
  if (which < 1 || !(which <= of)) throw new Error(`ALMANAC_SHARD=${process.env.ALMANAC_SHARD}: wanted a part like 2/6`);
  return all.filter((_, at) => at % of === which - 1);
}

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
