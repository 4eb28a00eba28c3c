/** A span of time as protobuf keeps it: whole seconds and nanoseconds (0 ≤ nanos < 1e9 for non-negative spans). */
export interface Duration {
  readonly seconds: number;
  readonly nanos: number;
}

/** Makes a Duration of whole seconds. */
export function seconds(count: number): Duration {
  return { seconds: count, nanos: 0 };
}

/** Makes a Duration of milliseconds, fractions allowed. */
export function milliseconds(count: number): Duration {
  const whole = Math.floor(count / 1000);
  return { seconds: whole, nanos: Math.round((count - whole * 1000) * 1e6) };
}
