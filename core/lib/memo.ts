/** Stands in for an absent argument, so that it has an identity too. */
const ABSENT: object = {};

/**
 * Remembers the results of a pure function by the *identity* of its arguments. Every value of the core is deeply readonly, so the same object always
 * means the same value and the arguments are a complete cache key: nothing is listed by hand, nothing can be forgotten.
 * Results go when any of their arguments is collected.
 */
export function memoize<A extends readonly (object | undefined)[], R>(compute: (...args: A) => R): (...args: A) => R {
  const root: Node<R> = { children: undefined, value: undefined, known: false };
  return (...args: A): R => {
    let node = root;
    for (const arg of args) node = child(node, arg ?? ABSENT);
    if (!node.known) {
      node.value = compute(...args);
      node.known = true;
    }
    return node.value as R;
  };
}

interface Node<R> {
  children: WeakMap<object, Node<R>> | undefined;
  value: R | undefined;
  known: boolean;
}

function child<R>(node: Node<R>, key: object): Node<R> {
  node.children ??= new WeakMap();
  let next = node.children.get(key);
  if (next === undefined) {
    next = { children: undefined, value: undefined, known: false };
    node.children.set(key, next);
  }
  return next;
}

