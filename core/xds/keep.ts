import type { Entry, View } from "#core/edition/view.ts";
import { HOLD_MS } from "./hold-time.ts";
import {
  difference,
  EMPTY_ASSIGNMENT,
  type Item,
  isSame,
  itemsOf,
  neededClusters,
  neededEndpoints,
  type Offer,
  offerOf,
  patch,
  UNKNOWN_NEEDS,
} from "./offer.ts";
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

/** Clusters that the client was sent and the edition has no more. */
function goneClusters(channel: Channel, view: View): readonly Item[] {
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
  const gone = goneClusters(channel, session.view);
  if (gone.length === 0 && channel.holds.size === 0) return channel.holds;
  return new Map(gone.filter(({ name }) => !isNeeded(session, name)).map(({ name }) => [name, channel.holds.get(name) ?? now]));
}

/**
 * Load assignments that outlive the edition's. While the client has the cluster, dropped or about to be, its endpoints stay: the edition's if it has them for
 * others, else the last that were not absent. Once the cluster is gone, nothing more is said of its endpoints: the client drops them by itself.
 */
export function withKeptAssignments(session: Session, base: Offer): Offer {
  const { clusters, endpoints } = session.channels;
  const { view } = session;
  if (clusters === undefined || endpoints === undefined || view === undefined) return base;
  const gone = goneClusters(clusters, view);
  if (gone.length === 0 && isSame(endpoints.offered, base)) return base;
  const kept = new Map<string, Entry>();
  for (const { name, entry } of difference(base, endpoints.offered).changed) {
    if (base.entries.get(name) === EMPTY_ASSIGNMENT && !neededEndpoints(view).has(name) && !endpoints.owed.names.has(name)) kept.set(name, entry);
  }
  for (const name of gone.flatMap(({ entry }) => entry.needs.endpoints)) {
    const entry = view.get("endpoints", name) ?? session.assignments.get(name);
    if (entry !== undefined && base.entries.get(name) === EMPTY_ASSIGNMENT) kept.set(name, entry);
  }
  return patch(
    base,
    [...kept].map(([name, entry]) => ({ name, entry })),
    [],
  );
}

/** When an edition drops clusters: their last load assignments, from the edition before it. */
export function lastAssignments(session: Session, view: View): ReadonlyMap<string, Entry> {
  const { clusters } = session.channels;
  const gone = clusters === undefined ? [] : goneClusters(clusters, view);
  if (gone.length === 0) return NONE;
  const last = new Map<string, Entry>();
  for (const name of gone.flatMap(({ entry }) => entry.needs.endpoints)) {
    const entry = session.view?.get("endpoints", name) ?? session.assignments.get(name);
    if (entry !== undefined) last.set(name, entry);
  }
  return last;
}

const NONE: ReadonlyMap<string, Entry> = new Map();

/** An extension config that a proxy still names is never taken away: it would answer requests with errors. */
export function withKeptExtensions(base: Offer, offered: Offer): Offer {
  const gone = difference(offered, base).removed;
  return patch(
    base,
    itemsOf(offered).filter(({ name }) => gone.includes(name)),
    [],
  );
}
