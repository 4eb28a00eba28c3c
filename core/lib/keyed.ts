/** Remembers what a pure function made of a text (a namespace, a verdict); lives as long as whoever holds it. Usually what {@link memoize} remembers. */
export function keyed<V>(): (key: string, make: () => V) => V {
  const known = new Map<string, { readonly value: V }>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make();
    known.set(key, { value });
    return value;
  };
}
