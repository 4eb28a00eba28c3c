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
