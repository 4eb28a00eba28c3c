/** Stands in for an absent argument, so that it has an identity too. */
const ABSENT: object = {};

/** Stands for the result undefined where that would mean that nothing is known. */
const UNDEFINED: object = {};

/**
 * Remembers the results of a pure function by the *identity* of its arguments. Every value of the core is deeply readonly, so the same object always
 * means the same value and the arguments are a complete cache key: nothing is listed by hand, nothing can be forgotten.
 * The argument that tells most apart comes first (a port before its service): one weak map holds all of its values, instead of a small one for each of another's.
 * Results go when any of their arguments is collected. Only the first value that an argument has after the same ones before it is held, until there is a second.
 */
export function memoize<A extends readonly (object | undefined)[], R>(compute: (...args: A) => R): (...args: A) => R {
  /** By the number of arguments: all that hangs on one has one depth, so that results stand where the next argument would. */
  const roots: (Node | undefined)[] = [];
  return (...args: A): R => {
    const last = args.length - 1;
    let node = roots[args.length];
    if (node === undefined) roots[args.length] = node = newNode();
    for (let index = 0; index < last; index++) node = nodeAt(node, args[index] ?? ABSENT);
    const key = args[last] ?? ABSENT;
    const known = find(node, key);
    if (known !== undefined) return (known === UNDEFINED ? undefined : known) as R;
    const value = compute(...args);
    put(node, key, value === undefined ? UNDEFINED : value);
    return value;
  };
}

/**
 * As {@link memoize}, for functions of many objects whose other arguments seldom change (a Pod, and the place that it is in): a result costs no more than its
 * entry in the map of those others.
 */
export function memoizeMany<F extends object, O extends readonly (object | undefined)[], R extends object>(
  compute: (first: F, ...others: O) => R,
): (first: F, ...others: O) => R {
  const resultsOf = memoize((..._others: O) => new WeakMap<F, R>());
  return (first, ...others) => {
    const results = resultsOf(...others);
    const known = results.get(first);
    if (known !== undefined) return known;
    const value = compute(first, ...others);
    results.set(first, value);
    return value;
  };
}

/** What is known after some arguments, by the next: results after the last but one, else nodes. */
interface Node {
  /** The one value of the next argument so far, as there mostly is (a service is seen with the same settings): a map would cost more than all else. */
  only: object | undefined;
  next: unknown;
  /** All of them, once there are several. */
  children: WeakMap<object, unknown> | undefined;
}

function newNode(): Node {
  return { only: undefined, next: undefined, children: undefined };
}

function find(node: Node, key: object): unknown {
  return node.only === key ? node.next : node.children?.get(key);
}

function put(node: Node, key: object, next: unknown): void {
  if (node.children !== undefined) node.children.set(key, next);
  else if (node.only === undefined || node.only === key) {
    node.only = key;
    node.next = next;
  } else {
    node.children = new WeakMap();
    node.children.set(node.only, node.next);
    node.children.set(key, next);
    node.only = undefined;
    node.next = undefined;
  }
}

function nodeAt(node: Node, key: object): Node {
  const found = find(node, key);
  if (found !== undefined) return found as Node;
  const added = newNode();
  put(node, key, added);
  return added;
}
