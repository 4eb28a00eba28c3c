/** How often a property is tried: `few` times, or with ALMANAC_THOROUGH=1 as often as it deserves. */
export function runs(few: number, many: number): number {
  return process.env.ALMANAC_THOROUGH === "1" ? many : few;
}
