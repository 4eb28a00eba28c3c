import { type Step, stepsBetween } from "./derived-list.ts";

/** What one list has and the other has not. */
export interface Movements<T> {
  readonly left: ReadonlySet<T>;
  readonly arrived: ReadonlySet<T>;
}

/**
 * Compares two lists, in which nothing repeats, by identity. Where one is remembered to come of the other (core/lib/derived-list.ts), it costs nothing; where
 * they have most in common and in the same order, as sorted lists have before and after a change, little more than a walk.
 */
export function movements<T>(before: readonly T[], after: readonly T[]): Movements<T> {
  if (before === after) return { left: new Set(), arrived: new Set() };
  const steps = stepsBetween(before, after);
  return steps === undefined ? compare(before, after) : sum(steps);
}

function sum<T>(steps: readonly Step<T>[]): Movements<T> {
  const left = new Set<T>();
  const arrived = new Set<T>();
  for (const step of steps.toReversed()) {
    for (const value of step.left) if (!arrived.delete(value)) left.add(value);
    for (const value of step.arrived) if (!left.delete(value)) arrived.add(value);
  }
  return { left, arrived };
}

function compare<T>(before: readonly T[], after: readonly T[]): Movements<T> {
  const left = new Set<T>();
  const arrived = new Set<T>();
  let from = 0;
  let to = 0;
  while (from < before.length && to < after.length) {
    if (before[from] === after[to]) {
      from++;
      to++;
      continue;
    }
    const gap = gapAt(before, from, after, to);
    for (const end = from + gap.left; from < end; from++) left.add(before[from] as T);
    for (const end = to + gap.arrived; to < end; to++) arrived.add(after[to] as T);
  }
  for (; from < before.length; from++) left.add(before[from] as T);
  for (; to < after.length; to++) arrived.add(after[to] as T);
  for (const value of arrived) if (left.delete(value)) arrived.delete(value);
  return { left, arrived };
}

interface Gap {
  readonly left: number;
  readonly arrived: number;
}

/** How far to look for the place where two lists go on alike. Beyond it nothing is wrong, only slower. */
const LOOKAHEAD = 16;

function gapAt<T>(before: readonly T[], from: number, after: readonly T[], to: number): Gap {
  for (let distance = 1; distance <= LOOKAHEAD; distance++) {
    if (from + distance < before.length && before[from + distance] === after[to]) return { left: distance, arrived: 0 };
    if (to + distance < after.length && before[from] === after[to + distance]) return { left: 0, arrived: distance };
    if (from + distance < before.length && before[from + distance] === after[to + distance]) return { left: distance, arrived: distance };
  }
  return { left: 1, arrived: 1 };
}
