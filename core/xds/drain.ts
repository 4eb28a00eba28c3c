import { draft } from "./answer.ts";
import { adoptClaim } from "./claim.ts";
import { heldSince } from "./hold.ts";
import { lingeringSince } from "./keep.ts";
import { isSame, type Offer } from "./offer.ts";
import type { Output } from "./output.ts";
import { ORDER, type ResourceRule, ruleOf } from "./resource-rules.ts";
import { send } from "./send.ts";
import { type Session, withChannel } from "./session.ts";
import { isHoldable, targetOf } from "./target.ts";

/** Makes the first response that is due, in the one order; none while the bytes of the last have not left. */
export function drain(session: Session, now: number): { readonly session: Session; readonly outputs: readonly Output[] } {
  if (session.view === undefined || session.writing) return { session, outputs: [] };
  let current = session;
  for (const rule of ORDER) {
    current = refresh(current, rule, now);
    if (current.channels[rule.type] === undefined) continue;
    const target = targetOf(current, rule, now);
    const due = draft(current, rule, target, now);
    if (due === undefined) {
      current = rejoin(current, rule, target.offer);
      continue;
    }
    const { session: next, outputs } = send(current, rule, due, now);
    if (outputs.length > 0) return { session: next, outputs };
    current = next;
  }
  return { session: current, outputs: [] };
}

/** Brings up to date what an answer of the type depends on. */
function refresh(session: Session, rule: ResourceRule, now: number): Session {
  const next = adoptClaim(session, rule);
  const channel = next.channels[rule.type];
  if (channel === undefined) return next;
  const holds = holdsOf(next, rule, now);
  return holds === undefined || (holds.size === 0 && channel.holds.size === 0) ? next : withChannel(next, rule.type, { ...channel, holds });
}

function holdsOf(session: Session, { type }: ResourceRule, now: number): ReadonlyMap<string, number> | undefined {
  if (type === "clusters") return lingeringSince(session, now);
  return isHoldable(type) ? heldSince(session, type, targetOf(session, ruleOf("clusters"), now).offer, now) : undefined;
}

/** Equal content: back to the one value that all streams share, so that a stream at rest holds nothing of its own. */
function rejoin(session: Session, { type }: ResourceRule, shared: Offer): Session {
  const channel = session.channels[type];
  if (channel === undefined) return session;
  const offered = channel.offered !== shared && isSame(channel.offered, shared) ? shared : channel.offered;
  const acked = channel.acked !== offered && channel.inflight.length === 0 && isSame(channel.acked, offered) ? offered : channel.acked;
  return offered === channel.offered && acked === channel.acked ? session : withChannel(session, type, { ...channel, offered, acked });
}
