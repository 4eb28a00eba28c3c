import fc from "fast-check";

/** Tries a property `few` times, or with ALMANAC_THOROUGH=1 `many` times: always with the same values. */
export function holds<T>(property: fc.IRawProperty<T>, few: number, many: number): void {
  const numRuns = process.env.ALMANAC_THOROUGH === "1" ? many : few;
  fc.assert(property, { numRuns, seed: 11, endOnFailure: true, includeErrorInReport: true });
}
