/** Resources by type and name, as the oracle writes them. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Difference {
  readonly type: string;
  readonly name: string;
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

export interface Comparison {
  readonly equal: number;
  readonly all: number;
  /** By type. */
  readonly types: Readonly<Record<string, { readonly equal: number; readonly all: number }>>;
  readonly differences: readonly Difference[];
}

/** Compares two answers resource by resource; a resource that only one side has is a difference. */
export function compare(expected: Answers, found: Answers): Comparison {
  const types: Record<string, { equal: number; all: number }> = {};
  const differences: Difference[] = [];
  for (const type of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const names = new Set([...Object.keys(expected[type] ?? {}), ...Object.keys(found[type] ?? {})]);
    if (names.size === 0) continue;
    const count = { equal: 0, all: names.size };
    types[type] = count;
    for (const name of names) {
      const paths = [...differ(expected[type]?.[name], found[type]?.[name], "")];
      if (paths.length === 0) count.equal += 1;
      differences.push(...paths.map((one) => ({ type, name, ...one })));
    }
  }
  const sum = (field: "equal" | "all"): number => Object.values(types).reduce((total, one) => total + one[field], 0);
  return { equal: sum("equal"), all: sum("all"), types, differences };
}

function* differ(a: unknown, b: unknown, path: string): Generator<Pick<Difference, "path" | "expected" | "found">> {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let index = 0; index < Math.max(a.length, b.length); index++) yield* differ(a[index], b[index], `${path}[${index}]`);
  } else if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) yield* differ(a[key], b[key], `${path}.${key}`);
  } else if (a !== b) {
    yield { path, expected: a, found: b };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
