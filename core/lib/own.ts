/** A field of an object whose keys users choose: what every object inherits (`constructor`, `valueOf`) is none of its fields, and good names all the same. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
