import type { Duration } from "#core/lib/duration.ts";

/** A protobuf duration as the model keeps it; seconds of 64 bits fit a number in every valid duration (protobuf limits them to 315,576,000,000). */
export function durationOf(message: { readonly seconds: bigint; readonly nanos: number } | undefined): Duration | undefined {
  return message === undefined ? undefined : { seconds: Number(message.seconds), nanos: message.nanos };
}
