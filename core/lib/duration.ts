/** A span of time as protobuf keeps it: whole seconds and nanoseconds (0 ≤ nanos < 1e9 for non-negative spans). */
export interface Duration {
  readonly seconds: number;
  readonly nanos: number;
}

/** Makes a Duration of whole seconds. */
export function seconds(count: number): Duration {
  return { seconds: count, nanos: 0 };
}

const NANOS_PER_UNIT: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** What a Go duration can hold: 64 bits of nanoseconds, some 292 years. */
const LONGEST = (1n << 63n) - 1n;

/**
 * Reads a duration as Go's `time.ParseDuration` does ("1h30m", "0.5s", "-10ms", "0"); undefined if it is none or longer than Go can say. Exact to the
 * nanosecond.
 */
export function parseGoDuration(text: string): Duration | undefined {
  const match = /^([+-]?)((?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.exec(text);
  if (match === null) return /^[+-]?0$/.test(text) ? seconds(0) : undefined;
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = NANOS_PER_UNIT[unit] ?? 0n;
    total += BigInt(whole || "0") * scale;
    if (fraction !== "") total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  if (total > LONGEST) return undefined;
  if (match[1] === "-") total = -total;
  return { seconds: Number(total / 1_000_000_000n), nanos: Number(total % 1_000_000_000n) };
}
