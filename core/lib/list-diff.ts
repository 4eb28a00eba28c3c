/** What one list has and the other has not. */
export interface Movements<T> {
  readonly left: ReadonlySet<T>;
  readonly arrived: ReadonlySet<T>;
}

/** Compares two lists by identity. Lists that share long stretches at both ends, or differ in few places, cost little more than a walk. */
export function movements<T>(before: readonly T[], after: readonly T[]): Movements<T> {
  const left = new Set<T>();
  const arrived = new Set<T>();
  if (before === after) return { left, arrived };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  for (let index = start; index < Math.max(before.length, after.length) - end; index++) {
    const old = index < before.length - end ? before[index] : undefined;
    const next = index < after.length - end ? after[index] : undefined;
    if (old === next) continue;
    if (old !== undefined) left.add(old);
    if (next !== undefined) arrived.add(next);
  }
  for (const value of arrived) if (left.delete(value)) arrived.delete(value);
  return { left, arrived };
}
