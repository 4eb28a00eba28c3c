import type { Duration } from "#core/lib/duration.ts";

/** A `google.protobuf.Duration` as a plain literal. */
export interface DurationMessage {
  seconds: bigint;
  nanos: number;
}

export function durationMessage(value: Duration): DurationMessage {
  return { seconds: BigInt(value.seconds), nanos: value.nanos };
}

export const ZERO_DURATION: DurationMessage = { seconds: 0n, nanos: 0 };
