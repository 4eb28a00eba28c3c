import type { Duration } from "#proto/google/protobuf/duration_pb.js";

/** Checks of ports, durations and shares (istio `pkg/config/validation/agent`). Each gives what is wrong, or undefined. */

export function portProblem(port: number): string | undefined {
  return port >= 1 && port <= 65535 ? undefined : `port ${port} must be in the range 1 to 65535`;
}

/** At least one millisecond, and whole ones. Absent is fine. */
export function durationProblem(duration: Duration | undefined): string | undefined {
  if (duration === undefined) return undefined;
  if (duration.seconds < 0n || (duration.seconds === 0n && duration.nanos < 1_000_000)) return "must be at least 1ms";
  return duration.nanos % 1_000_000 === 0 ? undefined : "must be whole milliseconds";
}

/** Is the duration less than a millisecond, either way? */
export function isZeroMilliseconds(duration: Duration): boolean {
  return duration.seconds === 0n && Math.abs(duration.nanos) < 1_000_000;
}

/** Counts are not negative. */
export function negativeProblem(value: number): string | undefined {
  return value < 0 ? "must not be negative" : undefined;
}

/** A whole percentage. */
export function percentProblem(value: number): string | undefined {
  return value < 0 || value > 100 ? `${value} is not in the range 0 to 100` : undefined;
}

/** A share of requests: Envoy counts no finer than a millionth. */
export function shareProblem(percentage: { readonly value: number } | undefined): string | undefined {
  const value = percentage?.value ?? 0;
  return value < 0 || value > 100 || (value > 0 && value < 0.0001) ? `${value} is neither 0 nor in the range 0.0001 to 100` : undefined;
}

/** A status that a request can be answered with. */
export function httpStatusProblem(status: number): string | undefined {
  return status < 200 || status > 600 ? `HTTP status ${status} is not in the range 200 to 599` : undefined;
}
