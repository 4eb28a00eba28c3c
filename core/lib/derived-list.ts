/** How one list came of another: what it lost and what it got. */
export interface Step<T> {
  readonly before: WeakRef<readonly T[]>;
  readonly left: readonly T[];
  readonly arrived: readonly T[];
  /** How the other list came of a third. */
  readonly previous: Step<T> | undefined;
  readonly depth: number;
}

/** Steps kept in a row. Each holds on to what left; beyond that many the lists are compared as a whole. */
const MAX_STEPS = 32;

const steps = new WeakMap<readonly unknown[], Step<unknown>>();

/** As `toSpliced`, but `movements` (core/lib/list-diff.ts) knows at once what changed, however long the list is. */
export function spliced<T>(list: readonly T[], start: number, count: number, ...items: readonly T[]): readonly T[] {
  const after = list.toSpliced(start, count, ...items);
  const known = steps.get(list) as Step<T> | undefined;
  const previous = known !== undefined && known.depth < MAX_STEPS ? known : undefined;
  const left = list.slice(start, start + count);
  const step: Step<T> = { before: new WeakRef(list), left, arrived: items, previous, depth: 1 + (previous?.depth ?? 0) };
  steps.set(after, step as Step<unknown>);
  return after;
}

/** From the last step to the first; undefined if it is not remembered how `after` came of `before`. */
export function stepsBetween<T>(before: readonly T[], after: readonly T[]): readonly Step<T>[] | undefined {
  const found: Step<T>[] = [];
  for (let step = steps.get(after) as Step<T> | undefined; step !== undefined; step = step.previous) {
    found.push(step);
    if (step.before.deref() === before) return found;
  }
  return undefined;
}
