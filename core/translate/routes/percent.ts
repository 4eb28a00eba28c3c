import type { Share } from "#core/envoy/percent.ts";

/** Istio multiplies in floating point and cuts: 0.57 % are 5699 millionths (istio `translatePercentToFractionalPercent`). */
export function shareOfPercent(percent: number): Share {
  return { numerator: Math.trunc(percent * 10_000), of: "million" };
}

/** The older, whole percentages. */
export function shareOfWholePercent(percent: number): Share {
  return { numerator: percent, of: "hundred" };
}
