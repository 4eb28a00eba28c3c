import type { Draft } from "./answer.ts";
import { heldNames } from "./hold.ts";
import { difference, endpointsOf, type Item, itemsOf } from "./offer.ts";
import type { Output } from "./output.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { owe } from "./resubscribe.ts";
import { type Channel, type Sent, type Session, withChannel } from "./session.ts";
import { setOf } from "./subscription.ts";
import { MAX_INFLIGHT } from "./unacked.ts";
import { versionOf } from "./version.ts";

/** Hands a drafted response out, with a nonce of its own, and writes down what it means. */
export function send(session: Session, rule: ResourceRule, due: Draft, now: number): { session: Session; outputs: readonly Output[] } {
  const channel = session.channels[rule.type];
  if (channel === undefined) return { session, outputs: [] };
  if (due.silent) return { session: withChannel(session, rule.type, { ...channel, offered: due.offered, owed: due.owed }), outputs: [] };
  const nonce = session.nonce + 1;
  const version = rule.whole || session.protocol === "sotw" ? versionOf(due.items) : versionOf(itemsOf(due.offered));
  const sent: Sent = {
    nonce,
    version,
    change: due.change,
    base: channel.offered,
    offer: due.offered,
    items: due.items,
    removed: due.removed,
    writtenAt: undefined,
  };
  const next: Channel = {
    ...channel,
    offered: due.offered,
    owed: due.owed,
    inflight: [...channel.inflight.slice(1 - MAX_INFLIGHT), sent],
    lastNonce: nonce,
    lastVersion: version,
    unremoved: stillUnremoved(channel, due),
  };
  const outputs: Output[] = [{ kind: "send", answer: { url: rule.url, version, nonce: String(nonce), items: due.items, removed: due.removed } }];
  const late = lateNames(channel, due, now);
  if (late.length > 0) outputs.push({ kind: "note", note: { event: "hold-expired", type: rule.type, names: late } });
  const recorded = withChannel({ ...session, nonce, writing: true }, rule.type, next);
  return { session: rule.type === "clusters" ? warm(recorded, difference(channel.offered, due.offered).changed, nonce) : recorded, outputs };
}

/** What is sent again exists again, and what is removed again is. */
function stillUnremoved({ unremoved }: Channel, { items, removed }: Draft): ReadonlySet<string> {
  if (unremoved.size === 0) return unremoved;
  const done = new Set([...removed, ...items.map(({ name }) => name)]);
  return new Set([...unremoved].filter((name) => !done.has(name)));
}

/**
 * After a cluster that is new or changed, a client warms it up and needs its endpoints again although they did not change, and may never ask for them
 * (xDS spec, "Resource warming"): they follow unasked.
 */
function warm(session: Session, changed: readonly Item[], nonce: number): Session {
  const names = endpointsOf(changed);
  if (names.size === 0) return session;
  const warming = new Map(session.warming);
  for (const name of names) warming.set(name, nonce);
  const endpoints = session.channels.endpoints;
  if (endpoints === undefined) return { ...session, warming };
  const subscribed = setOf(endpoints.subscription.names);
  const owed = owe(
    endpoints.owed,
    [...names].filter((name) => subscribed.has(name)),
  );
  return withChannel({ ...session, warming }, "endpoints", { ...endpoints, owed });
}

/** What is sent although it should have waited longer. */
function lateNames(channel: Channel, { items }: Draft, now: number): readonly string[] {
  if (channel.holds.size === 0) return [];
  const held = new Set(heldNames(channel.holds, now));
  return items.flatMap(({ name }) => (channel.holds.has(name) && !held.has(name) ? [name] : []));
}
