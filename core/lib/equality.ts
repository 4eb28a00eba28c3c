/** Have two lists the same values in the same order? */
export function equalLists<T>(before: readonly T[], now: readonly T[], equal: (before: T, now: T) => boolean = Object.is): boolean {
  if (before === now) return true;
  if (before.length !== now.length) return false;
  for (let index = 0; index < now.length; index++) if (!equal(before[index] as T, now[index] as T)) return false;
  return true;
}

/** Are two plain values equal? Parts that are the same are not looked into. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && equalLists(a, b, equalValues);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalValues(fieldOf(a, key), fieldOf(b, key)));
}

function fieldOf(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}
