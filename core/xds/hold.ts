import type { Entry } from "#core/edition/view.ts";
import { memoize } from "#core/lib/memo.ts";
import { HOLD_MS } from "./hold-time.ts";
import { difference, type Item, isSame, type Offer, offerOf, patch } from "./offer.ts";
import { ruleOf } from "./resource-rules.ts";
import type { Channel, Session } from "./session.ts";

/** Types that wait for clusters. */
export type Holdable = "listeners" | "routes";

/**
 * Make first: which new listeners or routes must wait, and since when. Each waits until every cluster that it needs is acknowledged, and for those with
 * endpoints an endpoints answer that was sent later is too. A newer edition replaces what is held and keeps its moment.
 * Only clients that ask for all clusters wait: others ask for clusters after the routes that name them.
 */
export function heldSince(session: Session, type: Holdable, clusters: Offer, now: number): ReadonlyMap<string, number> {
  const channel = session.channels[type];
  const { view } = session;
  const made = session.channels.clusters;
  if (channel === undefined || view === undefined || made === undefined || !made.subscription.wildcard) return NONE;
  if (session.warming.size === 0 && made.inflight.length === 0 && made.acked === made.offered && isSame(made.offered, clusters)) return NONE;
  const due = dueItems(channel, offerOf(view, ruleOf(type), channel.subscription));
  const waiting = due.filter(({ entry }) => entry.needs.clusters.some((name) => !isReady(session, made, clusters.entries.get(name), name)));
  return waiting.length === 0 ? NONE : new Map(waiting.map(({ name }) => [name, channel.holds.get(name) ?? now]));
}

const NONE: ReadonlyMap<string, number> = new Map();

/** What would be sent if nothing were held: news, and what is asked for again. */
function dueItems(channel: Channel, wanted: Offer): readonly Item[] {
  const { changed } = difference(channel.offered, wanted);
  if (channel.owed.names.size === 0) return changed;
  const names = new Set(changed.map(({ name }) => name));
  const asked = [...channel.owed.names].flatMap((name) => {
    const entry = wanted.entries.get(name);
    return entry === undefined || names.has(name) ? [] : [{ name, entry }];
  });
  return [...changed, ...asked];
}

/**
 * A cluster is ready when it was sent and settled, whatever came of that: a client that refused it will not take it for waiting. One that nobody offers never
 * will be, and is not waited for.
 */
function isReady(session: Session, clusters: Channel, wanted: Entry | undefined, name: string): boolean {
  if (wanted === undefined) return true;
  const { digest, needs } = wanted;
  if (clusters.offered.entries.get(name)?.digest !== digest || isInFlight(clusters, name)) return false;
  if (clusters.acked.entries.get(name)?.digest !== digest) return refusedDigests(clusters.refused).get(name) === digest;
  return !needs.endpoints.some((endpoint) => session.warming.has(endpoint));
}

/** A response that is not settled brings the cluster, or takes it away. */
function isInFlight({ inflight }: Channel, name: string): boolean {
  return inflight.some(({ base, offer }) => base.entries.get(name)?.digest !== offer.entries.get(name)?.digest);
}

const refusedDigests = memoize(
  (items: readonly Item[]): ReadonlyMap<string, string> => new Map(items.map(({ name, entry }) => [name, entry.digest])),
);

/** Names whose wait is not over. */
export function heldNames(holds: ReadonlyMap<string, number>, now: number): readonly string[] {
  return [...holds].filter(([, since]) => now < since + HOLD_MS).map(([name]) => name);
}

/** In place of what is held stands what was offered before, if anything. */
export function withoutHeld(base: Offer, offered: Offer, held: readonly string[]): Offer {
  if (held.length === 0) return base;
  const before = held.flatMap((name): Item[] => {
    const entry = offered.entries.get(name);
    return entry === undefined ? [] : [{ name, entry }];
  });
  return patch(base, before, held);
}
