import { EMPTY_ASSIGNMENT, difference, type Item, itemsOf, neededClusters, type Offer, offerOf, patch, UNKNOWN_NEEDS } from "./offer.ts";
import { ruleOf } from "./resource-rules.ts";
import type { Channel, Session } from "./session.ts";
import { HOLD_MS } from "./hold-time.ts";

/**
 * Break last: clusters that the edition dropped and that the client still needs, as they were sent last. They stay for as long as a listener or route that was
 * acknowledged last, or that is in flight, needs them.
 */
export function keptClusters(session: Session, now: number): readonly Item[] {
  const channel = session.channels.clusters;
  if (channel === undefined || session.view === undefined) return [];
  const gone = difference(channel.offered, offerOf(session.view, ruleOf("clusters"), channel.subscription)).removed;
  return gone.flatMap((name) => {
    const entry = channel.offered.entries.get(name);
    return entry !== undefined && (isNeeded(session, name) || lingers(session, channel, { name, entry }, now)) ? [{ name, entry }] : [];
  });
}

function isNeeded(session: Session, cluster: string): boolean {
  return [session.channels.listeners, session.channels.routes].some((user) => user !== undefined && mayUse(user, cluster));
}

/** What the client may be using of listeners or routes: what it acknowledged, what is on its way, and parts of what it refused. */
function mayUse(user: Channel, cluster: string): boolean {
  return (
    neededClusters(itemsOf(user.acked)).has(cluster) ||
    user.inflight.some(({ items }) => neededClusters(items).has(cluster)) ||
    user.doubted.has(cluster)
  );
}

/** Two cases in which the need is not known from what was sent; both end by themselves. */
function lingers(session: Session, channel: Channel, { name, entry }: Item, now: number): boolean {
  // Brought along from another stream: what the client's listeners and routes need shows when they have been answered here.
  if (entry.needs === UNKNOWN_NEEDS) return now < session.startedAt + HOLD_MS && !areKnown(session);
  // A client that names its clusters drops one by itself, after it has moved to the next.
  return !channel.subscription.wildcard && hasRoutes(session) && now < (channel.holds.get(name) ?? now) + HOLD_MS;
}

function areKnown(session: Session): boolean {
  const users = [session.channels.listeners, session.channels.routes];
  return users.every(
    (user) => user !== undefined && user.acked.entries.size > 0 && itemsOf(user.acked).every(({ entry }) => entry.needs !== UNKNOWN_NEEDS),
  );
}

function hasRoutes(session: Session): boolean {
  return session.channels.routes !== undefined || session.channels.listeners !== undefined;
}

/** Since when clusters that nothing needs linger, for {@link keptClusters}. */
export function lingeringSince(session: Session, now: number): ReadonlyMap<string, number> {
  const channel = session.channels.clusters;
  if (channel === undefined || session.view === undefined || channel.subscription.wildcard) return channel?.holds ?? new Map();
  const gone = difference(channel.offered, offerOf(session.view, ruleOf("clusters"), channel.subscription)).removed;
  if (gone.length === 0 && channel.holds.size === 0) return channel.holds;
  return new Map(gone.filter((name) => !isNeeded(session, name)).map((name) => [name, channel.holds.get(name) ?? now]));
}

/** Load assignments of kept clusters: the edition's while it has one, else the last that was not absent. */
export function withKeptAssignments(session: Session, base: Offer, kept: readonly Item[]): Offer {
  const { view } = session;
  const offered = session.channels.endpoints?.offered.entries;
  const items = kept
    .flatMap(({ entry }) => entry.needs.endpoints)
    .flatMap((name): Item[] => {
      if (base.entries.get(name)?.digest !== EMPTY_ASSIGNMENT.digest) return [];
      const entry = view?.get("endpoints", name) ?? offered?.get(name);
      return entry === undefined ? [] : [{ name, entry }];
    });
  return patch(base, items, []);
}

/** An extension config that a proxy still names is never taken away: it would answer requests with errors. */
export function withKeptExtensions(base: Offer, offered: Offer): Offer {
  const gone = difference(offered, base).removed;
  return patch(
    base,
    itemsOf(offered).filter(({ name }) => gone.includes(name)),
    [],
  );
}
