import type { MessageInitShape } from "@bufbuild/protobuf";
import { HTTPFaultSchema } from "#proto/envoy/extensions/filters/http/fault/v3/fault_pb.js";
import { type AnyMessage, packAny } from "./any.ts";
import { durationMessage } from "./duration.ts";
import { fractionalPercent, type Share } from "./percent.ts";

export interface FaultFields {
  readonly delay?: { readonly duration: { readonly seconds: number; readonly nanos: number }; readonly share: Share };
  readonly abort?: { readonly status: { readonly kind: "httpStatus" | "grpcStatus"; readonly code: number }; readonly share?: Share };
}

/** Settings of `envoy.filters.http.fault` for one route. */
export function httpFault({ delay, abort }: FaultFields): AnyMessage {
  const message: MessageInitShape<typeof HTTPFaultSchema> = {
    ...(delay === undefined
      ? {}
      : {
          delay: {
            faultDelaySecifier: { case: "fixedDelay", value: durationMessage(delay.duration) },
            percentage: fractionalPercent(delay.share),
          },
        }),
    ...(abort === undefined
      ? {}
      : {
          abort: {
            errorType: { case: abort.status.kind, value: abort.status.code },
            ...(abort.share === undefined ? {} : { percentage: fractionalPercent(abort.share) }),
          },
        }),
  };
  return packAny(HTTPFaultSchema, message);
}
