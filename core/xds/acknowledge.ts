import type { ResourceType } from "#core/edition/resource.ts";
import type { Rejection } from "./input.ts";
import { nameSet, neededClusters, type Offer, patch, restrict } from "./offer.ts";
import type { Note } from "./output.ts";
import { type Channel, type Sent, type Session, withChannel } from "./session.ts";

/** A session after a response was settled, and what is worth noting. `known`: the nonce was that of a response in flight. */
export interface Settled {
  readonly session: Session;
  readonly notes: readonly Note[];
  readonly known: boolean;
}

/**
 * Settles the response that a request names: an acknowledgement, or with `error` a refusal. Decided by the presence of the error alone, since a refusal may
 * carry any version (xDS spec, "ACK and NACK semantics"). A response is settled once: clients repeat an old error with later requests.
 * Responses before it are settled with it, since a stream is processed in order.
 */
export function settle(
  session: Session,
  type: ResourceType,
  nonce: string,
  answer: { readonly now: number; readonly error?: Rejection | undefined },
): Settled {
  const channel = session.channels[type];
  const index = channel?.inflight.findIndex((sent) => String(sent.nonce) === nonce) ?? -1;
  if (channel === undefined || index < 0) return { session, notes: [], known: false };
  const settled = channel.inflight.slice(0, index + 1);
  const rest = { ...channel, inflight: channel.inflight.slice(index + 1) };
  const { error, now } = answer;
  return error === undefined
    ? { ...acknowledged(session, type, rest, settled), known: true }
    : { ...refused(session, type, rest, { settled, error, now }), known: true };
}

function acknowledged(session: Session, type: ResourceType, channel: Channel, settled: readonly Sent[]): Omit<Settled, "known"> {
  let acked = channel.acked;
  let warming = session.warming;
  for (const sent of settled) {
    acked = apply(acked, sent);
    if (type === "endpoints") warming = warmed(warming, sent);
  }
  const version = settled.at(-1)?.version ?? "";
  const next = { ...channel, acked: restrict(acked, channel.subscription), ackedVersion: version, doubted: NONE, nack: undefined };
  return { session: withChannel({ ...session, warming }, type, next), notes: [{ event: "ack", type, version }] };
}

/** Names of an earlier refusal stay as they are at the client. */
function apply(acked: Offer, { base, offer, items, removed }: Sent): Offer {
  return acked === base || items.length === offer.entries.size ? offer : patch(acked, items, removed);
}

function refused(
  session: Session,
  type: ResourceType,
  channel: Channel,
  refusal: { readonly settled: readonly Sent[]; readonly error: Rejection; readonly now: number },
): Omit<Settled, "known"> {
  const { settled, error, now } = refusal;
  const last = settled.at(-1);
  if (last === undefined) return { session, notes: [] };
  const nonces = new Set(settled.map(({ nonce }) => nonce));
  let { warming } = session;
  if (type === "clusters") warming = new Map([...warming].filter(([, nonce]) => !nonces.has(nonce)));
  if (type === "endpoints") for (const sent of settled) warming = warmed(warming, sent);
  const next: Channel = {
    ...channel,
    nack: { nonce: last.nonce, version: last.version, code: error.code, message: error.message, at: now },
    nacks: channel.nacks + 1,
    refused: last.items,
    doubted: settled.reduce((doubted, { items }) => union(doubted, neededClusters(items)), channel.doubted),
    unremoved: settled.reduce((names, { removed }) => union(names, new Set(removed)), channel.unremoved),
  };
  const note: Note = { event: "nack", type, version: last.version, nonce: String(last.nonce), code: error.code, message: error.message };
  return { session: withChannel({ ...session, warming }, type, next), notes: [note] };
}

/** An endpoints answer ends the wait of the clusters that were sent before it. */
function warmed(warming: ReadonlyMap<string, number>, sent: Sent): ReadonlyMap<string, number> {
  if (warming.size === 0) return warming;
  const answered = nameSet(sent.items);
  const left = new Map<string, number>();
  for (const [name, since] of warming) if (!answered.has(name) || since > sent.nonce) left.set(name, since);
  return left;
}

const NONE: ReadonlySet<string> = new Set();

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (a.size === 0) return b;
  return b.size === 0 ? a : new Set([...a, ...b]);
}
