import type { ResourceType } from "#core/edition/resource.ts";
import type { Entry, View } from "#core/edition/view.ts";
import { compareText } from "#core/lib/compare.ts";
import { lastAssignments } from "./keep-assignments.ts";
import { itemsOf, type Offer, offerOf, UNKNOWN_NEEDS } from "./offer.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { type Channel, NOTHING_OWED, type Session, withChannel } from "./session.ts";
import { versionOf } from "./version.ts";

/**
 * Believes what a reconnecting client says that it holds, as soon as there is an edition to compare with: then its stream goes on as if it had never broken,
 * whatever changed meanwhile.
 */
export function adoptClaim(session: Session, rule: ResourceRule): Session {
  const { view, recent } = session;
  const channel = session.channels[rule.type];
  if (channel?.claim === undefined || view === undefined) return session;
  const views = [view, ...recent];
  const adopted =
    typeof channel.claim === "string" ? adoptVersion(channel, channel.claim, rule, views) : adoptVersions(channel, channel.claim, rule, views);
  const next = withChannel(session, rule.type, { ...adopted, claim: undefined });
  return rule.type === "clusters" ? { ...next, assignments: lastAssignments(next, view) } : next;
}

/**
 * A version is that of a whole set. It is never believed for endpoints: a cluster may be waiting for them, however well known they are.
 */
function adoptVersion(channel: Channel, claim: string, rule: ResourceRule, views: readonly View[]): Channel {
  if (rule.type === "endpoints") return channel;
  for (const view of views) {
    const held = offerOf(view, rule, channel.subscription);
    if (claim === versionOf(itemsOf(held)))
      return { ...channel, offered: held, acked: held, ackedVersion: claim, lastVersion: claim, owed: NOTHING_OWED };
  }
  return channel;
}

/** Versions by name; what no edition at hand has in that version is known by its digest alone. */
function adoptVersions(channel: Channel, claim: Readonly<Record<string, string>>, { type }: ResourceRule, views: readonly View[]): Channel {
  const names = Object.keys(claim).sort(compareText);
  const held: Offer = { entries: new Map(names.map((name) => [name, entryOf(type, name, claim[name] ?? "", views)])) };
  return { ...channel, offered: held, acked: held };
}

function entryOf(type: ResourceType, name: string, digest: string, views: readonly View[]): Entry {
  for (const view of views) {
    const entry = view.get(type, name);
    if (entry?.digest === digest) return entry;
  }
  return { digest, needs: UNKNOWN_NEEDS };
}
