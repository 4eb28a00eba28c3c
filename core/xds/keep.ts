import type { View } from "#core/edition/view.ts";
import { HOLD_MS } from "./hold-time.ts";
import { difference, hasStrangers, type Item, itemsOf, neededClusters, type Offer, offerOf, patch } from "./offer.ts";
import { ruleOf } from "./resource-rules.ts";
import type { Channel, Session } from "./session.ts";

/**
 * Break last: clusters that the edition dropped and that the client still needs, as they were sent last. They stay for as long as a listener or route that was
 * acknowledged last, or that is in flight, needs them.
 */
export function keptClusters(session: Session, now: number): readonly Item[] {
  const channel = session.channels.clusters;
  if (channel === undefined || session.view === undefined) return [];
  return goneClusters(channel, session.view).filter((item) => isNeeded(session, item.name) || lingers(session, channel, item, now));
}

/** Clusters that the client was sent, or brought along, and the edition has no more. */
export function goneClusters(channel: Channel, view: View): readonly Item[] {
  const { removed } = difference(channel.offered, offerOf(view, ruleOf("clusters"), channel.subscription));
  return removed.flatMap((name) => {
    const entry = channel.offered.entries.get(name);
    return entry === undefined ? [] : [{ name, entry }];
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
function lingers(session: Session, channel: Channel, { name }: Item, now: number): boolean {
  // The client came from another stream: what its listeners and routes need shows when they have been answered here.
  if (session.resumed && now < session.startedAt + HOLD_MS && !areKnown(session)) return true;
  // A client that names its clusters drops one by itself, after it has moved to the next.
  return !channel.subscription.wildcard && hasRoutes(session) && now < (channel.holds.get(name) ?? now) + HOLD_MS;
}

function areKnown({ channels }: Session): boolean {
  return [channels.listeners, channels.routes].every((user) => user !== undefined && isSettled(user));
}

function isSettled({ acked, inflight, owed }: Channel): boolean {
  return acked.entries.size > 0 && inflight.length === 0 && owed.names.size === 0 && !owed.answer && !hasStrangers(acked);
}

function hasRoutes(session: Session): boolean {
  return session.channels.routes !== undefined || session.channels.listeners !== undefined;
}

/** Since when clusters that nothing needs linger, for {@link keptClusters}. */
export function lingeringSince(session: Session, now: number): ReadonlyMap<string, number> {
  const channel = session.channels.clusters;
  if (channel === undefined || session.view === undefined || channel.subscription.wildcard) return channel?.holds ?? new Map();
  const gone = goneClusters(channel, session.view);
  if (gone.length === 0 && channel.holds.size === 0) return channel.holds;
  return new Map(gone.filter(({ name }) => !isNeeded(session, name)).map(({ name }) => [name, channel.holds.get(name) ?? now]));
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
