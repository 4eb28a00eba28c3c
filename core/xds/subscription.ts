import { compareText } from "#core/lib/compare.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";

/** Names in order, each once; one array for all streams that subscribe alike. */
export type Names = readonly string[];

/** What a client wants of one type, the same state for both protocols. */
export interface Subscription {
  /** Everything that the node is served. */
  readonly wildcard: boolean;
  /** Every request so far named nothing; only then an empty list means everything (xDS spec, "How the client specifies what resources to return"). */
  readonly legacy: boolean;
  /** Named explicitly, beside the wildcard if that is on. */
  readonly names: Names;
}

/** The name that stands for everything. */
export const WILDCARD = "*";

const intern = interner<readonly string[]>();

/** The empty list of names. */
export const NO_NAMES: Names = intern([]);

/** For looking names up. */
export const setOf = memoize((names: Names): ReadonlySet<string> => new Set(names));

/** Sorted, each once; equal lists are one value. */
export function namesOf(names: Iterable<string>): Names {
  return intern([...new Set(names)].sort(compareText));
}

/** A type that was not asked for. */
export const UNSUBSCRIBED: Subscription = { wildcard: false, legacy: false, names: NO_NAMES };

/**
 * Reads a state-of-the-world request, whose list is the full wish each time. `legacyAllowed`: the type and client know the empty list as wildcard.
 */
export function replaceNames(before: Subscription | undefined, listed: readonly string[], legacyAllowed: boolean): Subscription {
  if (listed.length === 0) {
    const legacy = legacyAllowed && (before === undefined || before.legacy);
    return { wildcard: legacy, legacy, names: NO_NAMES };
  }
  if (before !== undefined && !before.legacy && listsExactly(before, listed)) return before;
  return { wildcard: listed.includes(WILDCARD), legacy: false, names: namesOf(listed.filter((name) => name !== WILDCARD)) };
}

/** An acknowledgement repeats the whole list: recognised without making anything of it. */
function listsExactly({ wildcard, names }: Subscription, listed: readonly string[]): boolean {
  if (listed.length !== names.length + (wildcard ? 1 : 0)) return false;
  const wanted = setOf(names);
  const seen = new Set<string>();
  for (const name of listed) {
    if (!(wanted.has(name) || (wildcard && name === WILDCARD))) return false;
    seen.add(name);
  }
  return seen.size === listed.length;
}

/** Reads a delta request: subscribes first, then unsubscribes. */
export function changeNames(
  before: Subscription | undefined,
  change: { readonly subscribe: readonly string[]; readonly unsubscribe: readonly string[] },
  legacyAllowed: boolean,
): Subscription {
  const { subscribe, unsubscribe } = change;
  if (before !== undefined && subscribe.length + unsubscribe.length === 0) return before;
  const legacy = before === undefined && legacyAllowed && subscribe.length === 0;
  const names = new Set([...(before?.names ?? []), ...subscribe]);
  let wildcard = legacy || (before?.wildcard ?? false) || subscribe.includes(WILDCARD);
  for (const name of unsubscribe) names.delete(name);
  if (unsubscribe.includes(WILDCARD)) wildcard = false;
  names.delete(WILDCARD);
  return { wildcard, legacy: legacy || (before?.legacy ?? false), names: namesOf(names) };
}

/** Names that `after` asks for by name and `before` did not. */
export function addedNames(before: Subscription | undefined, after: Subscription): readonly string[] {
  if (before === undefined || before.names.length === 0) return after.names;
  if (before.names === after.names) return NO_NAMES;
  const known = setOf(before.names);
  return after.names.filter((name) => !known.has(name));
}

/** Names that `before` asked for by name and `after` does not. */
export function droppedNames(before: Subscription | undefined, after: Subscription): readonly string[] {
  return before === undefined ? NO_NAMES : addedNames(after, before);
}
