/** What a computation gave, or what it threw: a fault in one place must not stop its neighbours. */
export type Attempt<T> = { readonly value: T } | Fault;

/** Something that only a bug can throw. */
export interface Fault {
  readonly fault: unknown;
}

/** Computes, and catches what is thrown. */
export function attempt<T>(compute: () => T): Attempt<T> {
  try {
    return { value: compute() };
  } catch (fault) {
    return { fault };
  }
}

/** The first line of what a fault says. */
export function faultText({ fault }: Fault): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.split("\n")[0] ?? "";
}
