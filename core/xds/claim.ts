import type { Entry, View } from "#core/edition/view.ts";
import { compareText } from "#core/lib/compare.ts";
import { itemsOf, type Offer, offerOf, UNKNOWN_NEEDS } from "./offer.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { type Channel, NOTHING_OWED } from "./session.ts";
import { versionOf } from "./version.ts";

/**
 * Believes what a reconnecting client says that it holds, as soon as there is an edition to compare with. A version of the whole set is believed only if it
 * is that of exactly this set, and never for endpoints: a cluster may be waiting for them, however well known they are.
 */
export function adoptClaim(channel: Channel, rule: ResourceRule, view: View): Channel {
  const { claim, subscription } = channel;
  if (claim === undefined) return channel;
  const adopted = { ...channel, claim: undefined };
  if (typeof claim !== "string") {
    const held = claimed(claim, view, rule);
    return { ...adopted, offered: held, acked: held };
  }
  const base = offerOf(view, rule, subscription);
  if (rule.type === "endpoints" || claim !== versionOf(itemsOf(base))) return adopted;
  return { ...adopted, offered: base, acked: base, ackedVersion: claim, lastVersion: claim, owed: NOTHING_OWED };
}

/** Resources by the versions that the client gives; what the edition has not in that version is known by its digest alone. */
function claimed(claim: Readonly<Record<string, string>>, view: View, rule: ResourceRule): Offer {
  const names = Object.keys(claim).sort(compareText);
  const entries = new Map<string, Entry>();
  for (const name of names) {
    const digest = claim[name] ?? "";
    const entry = view.get(rule.type, name);
    entries.set(name, entry?.digest === digest ? entry : { digest, needs: UNKNOWN_NEEDS });
  }
  return { entries };
}
