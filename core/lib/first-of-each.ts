/** Of items with one key the first; the same list if all have keys of their own. */
export function firstOfEach<T, K>(items: readonly T[], keyOf: (item: T) => K): readonly T[] {
  const seen = new Set<K>();
  const found = items.filter((item) => {
    const size = seen.size;
    return seen.add(keyOf(item)).size > size;
  });
  return found.length === items.length ? items : found;
}
