/**
 * Like `keyed`, but remembers only values that were asked for lately, at least the last `limit` and at most twice as many: for keys that change over time while
 * whoever holds the memory lives on. Forgetting costs a computation, never a different result.
 */
export function recent<V>(limit: number): (key: string, make: () => V) => V {
  let young = new Map<string, { readonly value: V }>();
  let old = new Map<string, { readonly value: V }>();
  return (key, make) => {
    const known = young.get(key);
    if (known !== undefined) return known.value;
    const entry = old.get(key) ?? { value: make() };
    young.set(key, entry);
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    return entry.value;
  };
}
