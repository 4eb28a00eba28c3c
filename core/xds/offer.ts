import { type Needs, NO_NEEDS } from "#core/edition/resource.ts";
import type { Entry, View } from "#core/edition/view.ts";
import { compareText } from "#core/lib/compare.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { type Names, type Subscription, setOf } from "./subscription.ts";

/** One resource in an answer. */
export interface Item {
  readonly name: string;
  readonly entry: Entry;
}

/**
 * All that a client has, or should have, of one type: names in order. Offers that come from the same view and subscription are one object for all
 * streams, and what is computed of them is remembered by that identity: a stream costs a few pointers.
 */
export interface Offer {
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface Difference {
  /** New or with other content, in order of names. */
  readonly changed: readonly Item[];
  readonly removed: readonly string[];
}

/** What a client has before anything was offered. */
export const NOTHING: Offer = { entries: new Map() };

/** An endpoints name that nothing assigns: always answered, so that warming ends (xDS spec, "Resource warming"). */
export const EMPTY_ASSIGNMENT: Entry = { digest: "empty", needs: NO_NEEDS };

/** Marks what a client brought along from another stream and no edition at hand knows: it may need anything. */
export const UNKNOWN_NEEDS: Needs = { ...NO_NEEDS };

/** What the view has for a subscription. */
export function offerOf(view: View, rule: ResourceRule, { wildcard, names }: Subscription): Offer {
  if (wildcard) return rule.type === "endpoints" ? namedOffer(view, rule, names) : wholeOffer(view, rule);
  return names.length === 0 ? NOTHING : namedOffer(view, rule, names);
}

const wholeOffer = memoize((view: View, rule: ResourceRule): Offer => collect(view, rule, view.names(rule.type)));

const namedOffer = memoize(
  (view: View, rule: ResourceRule, names: Names): Offer => (rule.type === "endpoints" ? assignments(view, names) : collect(view, rule, names)),
);

function collect(view: View, rule: ResourceRule, names: readonly string[]): Offer {
  const entries = new Map<string, Entry>();
  for (const name of names) {
    const entry = view.get(rule.type, name);
    if (entry !== undefined) entries.set(name, entry);
  }
  return { entries };
}

/** EDS answers only names that a cluster served to this node needs; vantage layers hold those of its neighbours too. */
function assignments(view: View, names: Names): Offer {
  const needed = neededEndpoints(view);
  const entries = new Map<string, Entry>();
  for (const name of names) entries.set(name, (needed.has(name) ? view.get("endpoints", name) : undefined) ?? EMPTY_ASSIGNMENT);
  return { entries };
}

/** Endpoint names that the clusters of a view need. */
export const neededEndpoints = memoize((view: View): ReadonlySet<string> => {
  const needed = new Set<string>();
  for (const name of view.names("clusters")) for (const endpoint of view.get("clusters", name)?.needs.endpoints ?? []) needed.add(endpoint);
  return needed;
});

/** Some of it was brought along from another stream. */
export const hasStrangers = memoize((offer: Offer): boolean => itemsOf(offer).some(({ entry }) => entry.needs === UNKNOWN_NEEDS));

/** What turns `from` into `to`. */
export function difference(from: Offer, to: Offer): Difference {
  return from === to || from.entries === to.entries ? NO_DIFFERENCE : compare(from, to);
}

const NO_DIFFERENCE: Difference = { changed: [], removed: [] };

const compare = memoize((from: Offer, to: Offer): Difference => {
  const changed: Item[] = [];
  for (const [name, entry] of to.entries) if (from.entries.get(name)?.digest !== entry.digest) changed.push({ name, entry });
  const removed: string[] = [];
  for (const name of from.entries.keys()) if (!to.entries.has(name)) removed.push(name);
  return changed.length + removed.length === 0 ? NO_DIFFERENCE : { changed, removed };
});

/** Do two offers hold the same contents? */
export function isSame(a: Offer, b: Offer): boolean {
  return difference(a, b) === NO_DIFFERENCE;
}

/** An offer with some names set and some taken away. */
export function patch(offer: Offer, items: readonly Item[], removed: readonly string[]): Offer {
  if (items.length + removed.length === 0) return offer;
  const entries = new Map(offer.entries);
  for (const name of removed) entries.delete(name);
  for (const { name, entry } of items) entries.set(name, entry);
  return { entries: sorted(entries) };
}

/** Drops what a subscription does not cover (any more). */
export function restrict(offer: Offer, { wildcard, names }: Subscription): Offer {
  return wildcard || offer.entries.size === 0 ? offer : restrictTo(offer, names);
}

const restrictTo = memoize((offer: Offer, names: Names): Offer => {
  const wanted = setOf(names);
  const entries = new Map<string, Entry>();
  for (const [name, entry] of offer.entries) if (wanted.has(name)) entries.set(name, entry);
  return entries.size === offer.entries.size ? offer : { entries };
});

/** Every resource of an offer. */
export const itemsOf = memoize((offer: Offer): readonly Item[] => [...offer.entries].map(([name, entry]) => ({ name, entry })));

/** The names of some resources. */
export const nameSet = memoize((items: readonly Item[]): ReadonlySet<string> => new Set(items.map(({ name }) => name)));

/** Endpoint names that clusters need. */
export const endpointsOf = memoize((items: readonly Item[]): ReadonlySet<string> => new Set(items.flatMap(({ entry }) => entry.needs.endpoints)));

/** Clusters that listeners or routes name. */
export const neededClusters = memoize((items: readonly Item[]): ReadonlySet<string> => new Set(items.flatMap(({ entry }) => entry.needs.clusters)));

function sorted(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  return new Map([...entries].sort(([a], [b]) => compareText(a, b)));
}
