import { memoize } from "./memo.ts";

const NOTHING: readonly never[] = [];

/** Several lists as one; the same one for the same lists, so that what is made of it is found again. Lists without values don't count. */
export function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  return joinFilled(lists, join) as readonly T[];
}

/** As {@link joined}, for lists that don't come again: a single filled one is taken as it is, several are joined anew each time. */
export function concatenated<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  return joinFilled(lists, concat) as readonly T[];
}

type Lists = readonly (readonly unknown[])[];

function joinFilled(lists: Lists, several: (...filled: Lists) => readonly unknown[]): readonly unknown[] {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length < 2 ? (filled[0] ?? NOTHING) : several(...filled);
}

/** Each value of a list once, where it comes first; the same list for the same one. */
export function distinct<T>(list: readonly T[]): readonly T[] {
  return once(list) as readonly T[];
}

const once = memoize((list: readonly unknown[]): readonly unknown[] => [...new Set(list)]);

function concat(...lists: Lists): readonly unknown[] {
  return NOTHING.concat(...(lists as never[]));
}

const join = memoize(concat);
