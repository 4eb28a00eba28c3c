import { own } from "#core/lib/own.ts";
import { settle } from "./acknowledge.ts";
import type { DeltaRequest } from "./input.ts";
import type { Note } from "./output.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { owe, oweAll, resubscribe } from "./resubscribe.ts";
import { NEW_CHANNEL, NOTHING_OWED, type Owed, type Session, withChannel } from "./session.ts";
import { changeNames, type Subscription, setOf, WILDCARD } from "./subscription.ts";

/** Takes one delta request. What it makes due is answered by `nextAnswer`. */
export function readDeltaRequest(
  session: Session,
  rule: ResourceRule,
  request: DeltaRequest,
  now: number,
): { session: Session; notes: readonly Note[] } {
  const legacyAllowed = rule.whole && session.legacyWildcard;
  const channel = session.channels[rule.type];
  if (channel === undefined) return { session: open(session, rule, request, changeNames(undefined, request, legacyAllowed)), notes: [] };
  // Unlike in the other protocol, a nonce that is unknown here never takes the subscriptions with it (xDS spec, "Incremental xDS").
  const { session: settled, notes } = settle(session, rule.type, request.nonce, { now, error: request.error });
  const subscription = changeNames(channel.subscription, request, legacyAllowed);
  const owed = owedAfter(channel.owed, request, channel.subscription, subscription);
  return {
    session: subscription === channel.subscription && owed === channel.owed ? settled : resubscribe(settled, rule, subscription, owed),
    notes,
  };
}

/**
 * The versions that a client brings along count in the first request of a type only. It is believed except for endpoints: a cluster that was still warming
 * when the last stream broke needs them again, and there is no telling.
 */
function open(session: Session, rule: ResourceRule, request: DeltaRequest, subscription: Subscription): Session {
  const claims = Object.keys(request.held).length > 0;
  const owed: Owed = { ...NOTHING_OWED, answer: subscription.wildcard };
  const all = rule.type === "endpoints" || !claims;
  return withChannel({ ...session, resumed: session.resumed || claims }, rule.type, {
    ...NEW_CHANNEL,
    subscription,
    owed: all
      ? oweAll(owed, subscription)
      : owe(
          owed,
          subscription.names.filter((name) => own(request.held, name) === undefined),
        ),
    claim: claims ? request.held : undefined,
  });
}

/** A name subscribed to is sent (again), held or not: the client may have lost it. */
function owedAfter(owed: Owed, request: DeltaRequest, before: Subscription, after: Subscription): Owed {
  const names = request.subscribe.filter((name) => name !== WILDCARD && !request.unsubscribe.includes(name));
  // Leaving only the wildcard for a name, its present state is told once more (xDS spec, "Unsubscribing from resources").
  const left = after.wildcard ? request.unsubscribe.filter((name) => setOf(before.names).has(name)) : [];
  const more = owe(owed, [...names, ...left]);
  return after.wildcard && !before.wildcard ? { ...more, answer: true } : more;
}
