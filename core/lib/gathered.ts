import { equalLists } from "./equality.ts";
import { memoize } from "./memo.ts";

const NOTHING: readonly never[] = [];

/**
 * What is found in each of many objects, as one list. Of the list before it is remembered what was found in each, so that after a change only objects that are
 * new are looked at, and a list of findings that stays equal stays the same one. `each` must be pure; `context` is what it reads beside the object.
 */
export function gathered<T extends object, C extends readonly object[], R>(
  each: (object: T, ...context: C) => readonly R[],
): (objects: readonly T[], ...context: C) => readonly R[] {
  const gatherers = memoize((...context: C) => gatherer<T, R>((object) => each(object, ...context)));
  return (objects, ...context) => gatherers(...context)(objects);
}

interface Gathered<T, R> {
  readonly objects: readonly T[];
  readonly found: readonly (readonly R[])[];
  readonly all: readonly R[];
}

function gatherer<T extends object, R>(each: (object: T) => readonly R[]): (objects: readonly T[]) => readonly R[] {
  let last: Gathered<T, R> = { objects: NOTHING, found: NOTHING, all: NOTHING };
  return memoize((objects) => {
    const known = last.objects.length === objects.length ? undefined : new Map(last.objects.map((object, index) => [object, last.found[index]]));
    const found = objects.map((object, index) => (last.objects[index] === object ? last.found[index] : known?.get(object)) ?? each(object));
    const isSame = equalLists(last.found, found, equalLists);
    last = { objects, found, all: isSame ? last.all : NOTHING.concat(...(found as never[])) };
    return last.all;
  });
}
