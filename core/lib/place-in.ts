/**
 * Where something is in an ordered list, or would have to be put: before the first item that does not come before it. `order` is negative for items that come
 * before it, 0 for the item itself.
 */
export function placeIn<T>(list: readonly T[], order: (item: T) => number): { readonly index: number; readonly found: boolean } {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(list[middle] as T) < 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, found: low < list.length && order(list[low] as T) === 0 };
}
