/**
 * Gives back the value that came before as long as what comes equals it, so that what is remembered by its identity is found again: for what is made anew
 * each time, of parts that seldom change.
 */
export function steady<V>(equal: (before: V, now: V) => boolean): (value: V) => V {
  let last: { readonly value: V } | undefined;
  return (value) => {
    if (last === undefined || !equal(last.value, value)) last = { value };
    return last.value;
  };
}
