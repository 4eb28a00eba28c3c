import { restrict } from "./offer.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { type Channel, type Owed, type Session, withChannel } from "./session.ts";
import { droppedNames, type Subscription, setOf } from "./subscription.ts";

/**
 * Gives a type another subscription. What is no longer wanted is forgotten, so that a name asked for again counts as new; what is newly wanted is owed.
 */
export function resubscribe(session: Session, rule: ResourceRule, subscription: Subscription, owed: Owed): Session {
  const channel = session.channels[rule.type];
  if (channel === undefined) return session;
  const dropped = droppedNames(channel.subscription, subscription);
  const next: Channel = {
    ...channel,
    subscription,
    offered: restrict(channel.offered, subscription),
    acked: restrict(channel.acked, subscription),
    owed: dropped.length === 0 || subscription.wildcard ? owed : without(owed, dropped),
  };
  const rest = rule.type === "endpoints" && dropped.length > 0 ? { ...session, warming: withoutNames(session.warming, dropped) } : session;
  return withChannel(rest, rule.type, next);
}

/** Adds names to what is owed. */
export function owe(owed: Owed, names: Iterable<string>): Owed {
  const added = names instanceof Set ? (names as ReadonlySet<string>) : new Set(names);
  if (added.size === 0) return owed;
  return { ...owed, names: owed.names.size === 0 ? added : new Set([...owed.names, ...added]) };
}

/** Everything that a subscription names; recognised by identity when it is answered. */
export function oweAll(owed: Owed, subscription: Subscription): Owed {
  return { ...owed, names: setOf(subscription.names) };
}

function without(owed: Owed, names: readonly string[]): Owed {
  const left = new Set(owed.names);
  for (const name of names) left.delete(name);
  return { ...owed, names: left };
}

/** A client that drops an endpoints name waits for it no longer. */
function withoutNames(warming: ReadonlyMap<string, number>, names: readonly string[]): ReadonlyMap<string, number> {
  const left = new Map(warming);
  for (const name of names) left.delete(name);
  return left;
}
