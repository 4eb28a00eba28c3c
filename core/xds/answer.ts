import { compareText } from "#core/lib/compare.ts";
import { type Difference, difference, type Item, itemsOf, type Offer, patch } from "./offer.ts";
import type { ResourceRule } from "./resource-rules.ts";
import type { Channel, Owed, Protocol, Session } from "./session.ts";
import { NO_NAMES, setOf } from "./subscription.ts";
import type { Target } from "./target.ts";
import { isBlocked } from "./unacked.ts";

/** What one response of a type would hold. */
export interface Draft {
  readonly items: readonly Item[];
  readonly removed: readonly string[];
  /** It holds news that was not asked for. */
  readonly change: boolean;
  /** What the client has been offered once it is sent. */
  readonly offered: Offer;
  /** What is still owed then. */
  readonly owed: Owed;
  /** There is nothing to tell: only the books change. */
  readonly silent: boolean;
}

/** Drafts the response that is due for a type, if one is; `owed` may change without one. */
export function draft(session: Session, rule: ResourceRule, target: Target, now: number): Draft | undefined {
  const channel = session.channels[rule.type];
  if (channel === undefined) return undefined;
  const due: Due = {
    channel,
    target,
    news: difference(channel.offered, target.offer),
    asked: (channel.owed.answer || channel.owed.names.size > 0) && now >= channel.owed.notBefore,
    blocked: isBlocked(channel, now),
  };
  if (!due.asked && (due.blocked || isEmpty(due.news))) return undefined;
  return session.protocol === "sotw" && rule.whole ? wholeDraft(due) : partialDraft(due, session.protocol);
}

interface Due {
  readonly channel: Channel;
  readonly target: Target;
  readonly news: Difference;
  readonly asked: boolean;
  readonly blocked: boolean;
}

/** State of the world, listeners and clusters: always all of it. */
function wholeDraft({ channel, target, news, asked }: Due): Draft | undefined {
  const first = channel.lastNonce === 0 && channel.owed.answer;
  // What the first answer leaves out, a client that brought it along would delete: better that all of it waits.
  if (first && target.held.length > 0) return undefined;
  return {
    items: itemsOf(target.offer),
    removed: [],
    change: !asked || (!first && isUnasked(news, channel.owed)),
    offered: target.offer,
    owed: nothingBut(channel.owed, NO_NAMES),
    silent: false,
  };
}

/** State of the world for the other types, and all types of delta: what is new, and what is asked for. */
function partialDraft({ channel, target, news, asked, blocked }: Due, protocol: Protocol): Draft | undefined {
  const { owed } = channel;
  const names = asked ? owed.names : NO_NAME;
  const changed = blocked ? news.changed.filter(({ name }) => names.has(name)) : news.changed;
  const items = withAsked(changed, names, channel, target);
  const waiting = target.held.filter((name) => names.has(name));
  const missing = asked ? [...names].filter((name) => !target.offer.entries.has(name) && !waiting.includes(name)) : [];
  const gone = blocked ? news.removed.filter((name) => names.has(name)) : news.removed;
  const again = items.length + gone.length > 0 ? [...channel.unremoved].filter((name) => !target.offer.entries.has(name)) : [];
  const removed = protocol === "delta" ? [...new Set([...gone, ...missing, ...again])].sort(compareText) : [];
  return {
    items,
    removed,
    change: channel.lastNonce > 0 && !blocked && (!asked || isUnasked(news, owed)),
    offered: blocked ? patch(channel.offered, items, gone) : target.offer,
    owed: asked ? nothingBut(owed, waiting) : owed,
    silent: items.length + removed.length === 0 && !(protocol === "delta" && owed.answer && asked),
  };
}

/** News first, then what is asked for although it is no news; all of it without copying where everything is. */
function withAsked(changed: readonly Item[], names: ReadonlySet<string>, { subscription }: Channel, { offer, held }: Target): readonly Item[] {
  if (names.size === 0) return changed;
  const all = names === setOf(subscription.names) && held.length === 0 && !subscription.wildcard;
  if (all) return itemsOf(offer);
  const items = new Map(changed.map((item) => [item.name, item]));
  for (const name of names) {
    const entry = offer.entries.get(name);
    if (entry !== undefined && !held.includes(name)) items.set(name, { name, entry });
  }
  return [...items.values()].sort((a, b) => compareText(a.name, b.name));
}

function isUnasked({ changed, removed }: Difference, { names }: Owed): boolean {
  return changed.some(({ name }) => !names.has(name)) || removed.some((name) => !names.has(name));
}

function isEmpty({ changed, removed }: Difference): boolean {
  return changed.length + removed.length === 0;
}

const NO_NAME: ReadonlySet<string> = new Set();

function nothingBut(owed: Owed, names: readonly string[]): Owed {
  return { answer: false, names: names.length === owed.names.size ? owed.names : new Set(names), notBefore: 0 };
}
