/** One layer as a map from name to content; `"absent"` takes a name of an earlier layer away. */
export type Overlayable<T> = ReadonlyMap<string, T | "absent">;

/** Layers laid over each other, a later one winning name by name. */
export function overlay<T>(layers: readonly Overlayable<T>[]): ReadonlyMap<string, T> {
  const result = new Map<string, T>();
  for (const layer of layers) {
    for (const [name, content] of layer) {
      if (content === "absent") result.delete(name);
      else result.set(name, content);
    }
  }
  return result;
}
