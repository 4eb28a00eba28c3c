/** Stands in for an absent argument, so that it has an identity too. */
const ABSENT: object = {};

/**
 * Remembers the results of a pure function by the *identity* of its arguments. Every value of the core is deeply readonly, so the same object always
 * means the same value and the arguments are a complete cache key: nothing is listed by hand, nothing can be forgotten.
 * Results go when any of their arguments is collected. Only the first value that an argument has after the same ones before it is held, until there is a second.
 */
export function memoize<A extends readonly (object | undefined)[], R>(compute: (...args: A) => R): (...args: A) => R {
  const root = newNode<R>();
  return (...args: A): R => {
    let node = root;
    for (let index = 0; index < args.length; index++) node = child(node, args[index] ?? ABSENT);
    if (!node.known) {
      node.value = compute(...args);
      node.known = true;
    }
    return node.value as R;
  };
}

/**
 * As {@link memoize}, for functions of many objects whose other arguments seldom change (a Pod, and the place that it is in): of each first argument only the
 * last result is remembered.
 */
export function memoizeLast<A extends readonly [object, ...(object | undefined)[]], R>(compute: (...args: A) => R): (...args: A) => R {
  const last = new WeakMap<object, { readonly args: A; readonly value: R }>();
  return (...args: A): R => {
    const known = last.get(args[0]);
    if (known?.args.every((arg, index) => arg === args[index])) return known.value;
    const value = compute(...args);
    last.set(args[0], { args, value });
    return value;
  };
}

/** What is known after some arguments. */
interface Node<R> {
  known: boolean;
  value: R | undefined;
  /** The one value of the next argument so far, as there mostly is (a service is seen with the same settings): a map would cost more than all else. */
  only: object | undefined;
  next: Node<R> | undefined;
  /** All of them, once there are several. */
  children: WeakMap<object, Node<R>> | undefined;
}

function newNode<R>(): Node<R> {
  return { known: false, value: undefined, only: undefined, next: undefined, children: undefined };
}

function child<R>(node: Node<R>, key: object): Node<R> {
  if (node.only === key) return node.next as Node<R>;
  const found = node.children?.get(key);
  if (found !== undefined) return found;
  const added = newNode<R>();
  if (node.children !== undefined) node.children.set(key, added);
  else if (node.only === undefined) {
    node.only = key;
    node.next = added;
  } else {
    node.children = new WeakMap([
      [node.only, node.next as Node<R>],
      [key, added],
    ]);
    node.only = undefined;
    node.next = undefined;
  }
  return added;
}
