/**
 * Like `keyed`, but remembers only the values asked for last: for keys that change over time while whoever holds the memory lives on.
 * Forgetting costs a computation, never a different result.
 */
export function recent<V>(limit: number): (key: string, make: () => V) => V {
  const known = new Map<string, { readonly value: V }>();
  return (key, make) => {
    const entry = known.get(key) ?? { value: make() };
    known.delete(key);
    known.set(key, entry);
    if (known.size > limit) forgetOldest(known);
    return entry.value;
  };
}

function forgetOldest(known: Map<string, unknown>): void {
  for (const key of known.keys()) {
    known.delete(key);
    return;
  }
}
