import { memoize } from "./memo.ts";

const NOTHING: readonly never[] = [];

/** Several lists as one; the same one for the same lists, so that what is made of it is found again. Lists without values don't count. */
export function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length < 2 ? (filled[0] ?? NOTHING) : (join(...filled) as readonly T[]);
}

/** Each value of a list once, where it comes first; the same list for the same one. */
export function distinct<T>(list: readonly T[]): readonly T[] {
  return once(list) as readonly T[];
}

const once = memoize((list: readonly unknown[]): readonly unknown[] => [...new Set(list)]);

const join = memoize((...lists: readonly (readonly unknown[])[]): readonly unknown[] => NOTHING.concat(...(lists as never[])));
