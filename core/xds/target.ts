import { type Holdable, heldNames, withoutHeld } from "./hold.ts";
import { keptClusters, withKeptExtensions } from "./keep.ts";
import { keepAssignments } from "./keep-assignments.ts";
import { isSame, NOTHING, type Offer, offerOf, patch } from "./offer.ts";
import type { ResourceRule } from "./resource-rules.ts";
import type { Session } from "./session.ts";

/** What the client should have of a type now: the edition's, except for what must come later or go later. */
export interface Target {
  readonly offer: Offer;
  /** Names of which nothing may be said now: the edition has something newer that must wait, or nothing, and the client what it brought along. */
  readonly held: readonly string[];
}

/** What the client should have of a type now. */
export function targetOf(session: Session, rule: ResourceRule, now: number): Target {
  const channel = session.channels[rule.type];
  if (channel === undefined || session.view === undefined) return { offer: NOTHING, held: [] };
  const base = offerOf(session.view, rule, channel.subscription);
  switch (rule.type) {
    case "clusters":
      return overlaid(base, patch(base, keptClusters(session, now), []), channel.offered);
    case "endpoints":
      return withAssignments(session, base, channel.offered);
    case "extensions":
      return overlaid(base, withKeptExtensions(base, channel.offered), channel.offered);
    case "listeners":
    case "routes": {
      const held = heldNames(channel.holds, now);
      return { ...overlaid(base, withoutHeld(base, channel.offered, held), channel.offered), held };
    }
    default:
      return { offer: base, held: [] };
  }
}

function withAssignments(session: Session, base: Offer, offered: Offer): Target {
  const { offer, untouched } = keepAssignments(session, base);
  return { ...overlaid(base, offer, offered), held: untouched };
}

/** Equal content keeps its identity, for what is remembered by it; best the one that all streams share. */
function overlaid(base: Offer, offer: Offer, offered: Offer): Target {
  return { offer: offer !== base && isSame(offer, offered) ? offered : offer, held: [] };
}

/** Only listeners and routes need other resources to be there first. */
export function isHoldable(type: ResourceRule["type"]): type is Holdable {
  return type === "listeners" || type === "routes";
}
