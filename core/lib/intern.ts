import { equalValues } from "./equality.ts";

/**
 * Gives equal small values one identity, so that {@link memoize} recognises a value that is made anew each time (settings, a port in a scope).
 * Equality is that of the values' JSON: meant for plain values of a few fields whose keys are always written in one order.
 * A representative lives as long as somebody holds it.
 */
export function interner<T extends object>(): (value: T) => T {
  const known = new Map<string, WeakRef<T>>();
  const forget = new FinalizationRegistry<string>((key) => {
    if (known.get(key)?.deref() === undefined) known.delete(key);
  });
  return (value) => {
    const key = JSON.stringify(value);
    const found = known.get(key)?.deref();
    if (found !== undefined) return found;
    known.set(key, new WeakRef(value));
    forget.register(value, key);
    return value;
  };
}

/** Where values are told apart: by a part that few of them share (the object that they come from), then by name. */
export interface Whereabouts<T> {
  part(value: T): object;
  name(value: T): string;
}

/** Values of one part and name, at most: what a change makes again and again must not pile up. */
const MOST_ALIKE = 64;

/**
 * As {@link interner}, for values with a part that has an identity and is shared among few of them: compared value by value with those of the same part and
 * name, which costs less than to spell them all. Values are remembered as long as their part lives.
 */
export function internerWithin<T extends object>({ part, name }: Whereabouts<T>): (value: T) => T {
  const known = new WeakMap<object, Map<string, readonly T[]>>();
  return (value) => {
    const byName = known.get(part(value)) ?? new Map<string, readonly T[]>();
    known.set(part(value), byName);
    const alike = byName.get(name(value));
    const same = alike?.find((other) => equalValues(other, value));
    if (same !== undefined) return same;
    byName.set(name(value), alike === undefined ? [value] : [...alike.slice(-MOST_ALIKE + 1), value]);
    return value;
  };
}
