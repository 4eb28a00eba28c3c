import { settle } from "./acknowledge.ts";
import type { SotwRequest } from "./input.ts";
import type { Note } from "./output.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { owe, oweAll, resubscribe } from "./resubscribe.ts";
import { NEW_CHANNEL, NOTHING_OWED, type Owed, type Session, withChannel } from "./session.ts";
import { addedNames, replaceNames, type Subscription } from "./subscription.ts";
import { UNACKED_MS } from "./unacked.ts";

/** Takes one state-of-the-world request. What it makes due is answered by `nextAnswer`. */
export function readRequest(session: Session, rule: ResourceRule, request: SotwRequest, now: number): { session: Session; notes: readonly Note[] } {
  const legacyAllowed = rule.whole && session.legacyWildcard;
  const channel = session.channels[rule.type];
  // The first request of a type opens it whatever nonce it carries: nonces mean nothing across streams.
  if (channel === undefined) return { session: open(session, rule, request, replaceNames(undefined, request.names, legacyAllowed)), notes: [] };
  const { session: settled, notes, known } = settle(session, rule.type, request.nonce, { now, error: request.error });
  const subscription = replaceNames(channel.subscription, request.names, legacyAllowed);
  const superseded = request.nonce !== "" && request.nonce !== String(channel.lastNonce);
  const owed: Owed = { ...settledOwed(settled, rule), notBefore: superseded ? now + UNACKED_MS : 0 };
  if (subscription !== channel.subscription) {
    return { session: resubscribe(settled, rule, subscription, owedAfter(owed, rule, channel.subscription, subscription)), notes };
  }
  const repeated = !known && !superseded && request.error === undefined && isWarmed(session, rule);
  return { session: setOwed(settled, rule, repeated ? oweAll(owed, subscription) : owed), notes };
}

function open(session: Session, rule: ResourceRule, request: SotwRequest, subscription: Subscription): Session {
  const everything = subscription.wildcard || subscription.names.length > 0;
  const owed = oweAll({ ...NOTHING_OWED, answer: everything }, subscription);
  const claim = request.version === "" ? undefined : request.version;
  const resumed = session.resumed || claim !== undefined;
  return withChannel({ ...session, resumed }, rule.type, { ...NEW_CHANNEL, subscription, owed, claim });
}

/** Added names are due even if nothing changed. A whole answer is due even for a name that does not exist: that is how its absence is told. */
function owedAfter(owed: Owed, rule: ResourceRule, before: Subscription, after: Subscription): Owed {
  const added = addedNames(before, after);
  const more = owe(owed, added);
  const answer = (after.wildcard && !before.wildcard) || (rule.whole && added.length > 0);
  return answer ? { ...more, answer } : more;
}

/**
 * A request that repeats an acknowledgement means that the client warms up: after clusters it needs endpoints, after listeners routes, changed or not
 * (xDS spec, "Resource warming"). Answered once for each such parent, so never in a loop.
 */
function isWarmed(session: Session, rule: ResourceRule): boolean {
  const parent = rule.parent && session.channels[rule.parent];
  return parent !== undefined && parent.lastNonce > (session.channels[rule.type]?.lastNonce ?? 0);
}

function settledOwed(session: Session, rule: ResourceRule): Owed {
  return session.channels[rule.type]?.owed ?? NOTHING_OWED;
}

function setOwed(session: Session, rule: ResourceRule, owed: Owed): Session {
  const channel = session.channels[rule.type];
  return channel === undefined ? session : withChannel(session, rule.type, { ...channel, owed });
}
