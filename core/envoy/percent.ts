import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RuntimeFractionalPercentSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { FractionalPercent_DenominatorType, type FractionalPercentSchema } from "#proto/envoy/type/v3/percent_pb.js";

/** A share as Envoy counts it: so many of a hundred, or of a million. */
export interface Share {
  readonly numerator: number;
  readonly of: "hundred" | "million";
}

export function fractionalPercent(share: Share): MessageInitShape<typeof FractionalPercentSchema> {
  const denominator = share.of === "hundred" ? FractionalPercent_DenominatorType.HUNDRED : FractionalPercent_DenominatorType.MILLION;
  return { numerator: share.numerator, denominator };
}

/** A share that no runtime key overrides. */
export function fixedFraction(share: Share): MessageInitShape<typeof RuntimeFractionalPercentSchema> {
  return { defaultValue: fractionalPercent(share) };
}
