import type { ObjectStore } from "#core/store/object-store.ts";

/** What goes wrong with one operation: the answer is lost after the work was done, or the work is not done at all. */
export type Fault = "answer lost" | "not done";

export interface FaultyStore extends ObjectStore {
  /** Every operation that reached the store, with its key. */
  readonly operations: readonly string[];
  /** Lets the next operation of a kind go wrong, and that as often as it is called. */
  fail(operation: keyof ObjectStore, fault: Fault): void;
  /** Runs before the next operation of a kind, as somebody who is quicker. */
  before(operation: keyof ObjectStore, work: () => Promise<unknown>): void;
}

/** A store whose network can't be trusted. */
export function faultyStore(store: ObjectStore): FaultyStore {
  const operations: string[] = [];
  const faults = new Map<string, Fault[]>();
  const works = new Map<string, (() => Promise<unknown>)[]>();
  const run = async <T>(operation: keyof ObjectStore, key: string, work: () => Promise<T>): Promise<T> => {
    await works.get(operation)?.shift()?.();
    const fault = faults.get(operation)?.shift();
    if (fault === "not done") throw new Error(`${operation} ${key}: connection refused`);
    operations.push(`${operation} ${key}`);
    const answer = await work();
    if (fault === "answer lost") throw new Error(`${operation} ${key}: connection reset`);
    return answer;
  };
  return {
    operations,
    fail: (operation, fault) => void faults.set(operation, [...(faults.get(operation) ?? []), fault]),
    before: (operation, work) => void works.set(operation, [...(works.get(operation) ?? []), work]),
    get: (key, ifNot) => run("get", key, () => store.get(key, ifNot)),
    putIfAbsent: (key, bytes) => run("putIfAbsent", key, () => store.putIfAbsent(key, bytes)),
    swap: (key, bytes, token) => run("swap", key, () => store.swap(key, bytes, token)),
    list: (prefix) => run("list", prefix, () => store.list(prefix)),
    delete: (key, token) => run("delete", key, () => store.delete(key, token)),
  };
}
