/** A record without its undefined entries. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out entries that are undefined, so that "not set" is spelled in one way: by absence. */
export function present<T extends object>(record: T): Present<T> {
  const result: Record<string, unknown> = {};
  for (const key in record) if (record[key] !== undefined) result[key] = record[key];
  return result as Present<T>;
}
