/** What one list has and the other has not. */
export interface Movements<T> {
  readonly left: ReadonlySet<T>;
  readonly arrived: ReadonlySet<T>;
}

/** Compares two lists by identity. Lists that share long stretches at both ends, or differ in few places, cost little more than a walk. */
export function movements<T>(before: readonly T[], after: readonly T[]): Movements<T> {
  if (before === after) return { left: new Set(), arrived: new Set() };
  const shared = sharedEnds(before, after);
  const left = without(before, after, shared);
  const arrived = without(after, before, shared);
  for (const value of arrived) if (left.delete(value)) arrived.delete(value);
  return { left, arrived };
}

interface SharedEnds {
  readonly start: number;
  readonly end: number;
}

/** How many values two lists share at their starts, and at their ends. */
function sharedEnds<T>(a: readonly T[], b: readonly T[]): SharedEnds {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

/** Values between the shared ends of a list that the other has not in the same place. */
function without<T>(list: readonly T[], other: readonly T[], { start, end }: SharedEnds): Set<T> {
  const values = new Set<T>();
  const otherEnd = other.length - end;
  for (let index = start; index < list.length - end; index++) {
    if (index >= otherEnd || list[index] !== other[index]) values.add(list[index] as T);
  }
  return values;
}
