import type { ResourceType } from "#core/edition/resource.ts";
import type { Entry, View } from "#core/edition/view.ts";
import type { Item, Offer } from "./offer.ts";
import { NOTHING } from "./offer.ts";
import type { Subscription } from "./subscription.ts";
import { UNSUBSCRIBED } from "./subscription.ts";

export type Protocol = "sotw" | "delta";

/** What a client asked for and was not answered yet. It is answered over a change in flight. */
export interface Owed {
  /** A response is due even if it is empty: the first one, or a new wildcard. */
  readonly answer: boolean;
  /** To be sent again whatever was sent before. */
  readonly names: ReadonlySet<string>;
  /** Not before this moment: the request named a superseded nonce, so that the client will follow up. 0: now. */
  readonly notBefore: number;
}

/** A response that the client neither acknowledged nor refused yet. */
export interface Sent {
  readonly nonce: number;
  readonly version: string;
  /** It was not asked for: while it is in flight, only "newer exists" is remembered. */
  readonly change: boolean;
  /** What had been offered before, and with it. */
  readonly base: Offer;
  readonly offer: Offer;
  readonly items: readonly Item[];
  readonly removed: readonly string[];
  /** When its bytes had left. */
  readonly writtenAt: number | undefined;
}

/** The last refusal of a type. */
export interface Nack {
  readonly nonce: number;
  readonly version: string;
  readonly code: number;
  readonly message: string;
  readonly at: number;
}

/** One type on one stream. Both protocols read the same state. */
export interface Channel {
  readonly subscription: Subscription;
  /** What the first request said that the client holds, until an edition is at hand to compare: a version, or versions by name. */
  readonly claim: string | Readonly<Record<string, string>> | undefined;
  readonly owed: Owed;
  /** Everything sent, as if the client had taken it all. */
  readonly offered: Offer;
  /** Everything that the client acknowledged. */
  readonly acked: Offer;
  readonly ackedVersion: string;
  readonly inflight: readonly Sent[];
  /** Of the last response; 0 before the first. */
  readonly lastNonce: number;
  readonly lastVersion: string;
  /** Names that wait to be sent (listeners, routes) or removed (clusters), and since when. */
  readonly holds: ReadonlyMap<string, number>;
  readonly nack: Nack | undefined;
  readonly nacks: number;
  /** Resources of the last refused response. */
  readonly refused: readonly Item[];
  /** Clusters that refused responses need: a client may have taken a part of those. Forgotten with the next acknowledgement. */
  readonly doubted: ReadonlySet<string>;
  /** Delta: names whose removal was refused. Nobody loops on a refusal, so they are removed again with the next change. */
  readonly unremoved: ReadonlySet<string>;
}

/** One stream's state, a plain value. */
export interface Session {
  readonly protocol: Protocol;
  /** The client knows an empty list of names as "everything"; proxyless gRPC does not. */
  readonly legacyWildcard: boolean;
  readonly view: View | undefined;
  /** What the node was served from editions before, newest first: to recognise what a client brings along from another stream. */
  readonly recent: readonly View[];
  /** The client brought something along. */
  readonly resumed: boolean;
  /** Counts the responses of the stream, so that a nonce is never reused on it. */
  readonly nonce: number;
  /** A response was handed over and its bytes have not left: nothing more is made meanwhile, so a slow reader costs a pointer. */
  readonly writing: boolean;
  /** When the first request came. */
  readonly startedAt: number;
  readonly channels: Readonly<Partial<Record<ResourceType, Channel>>>;
  /** Endpoint names that a cluster sent with this nonce needs anew, until an endpoints answer sent later is settled. */
  readonly warming: ReadonlyMap<string, number>;
  /** Load assignments of clusters that the edition dropped and the client still has. */
  readonly assignments: ReadonlyMap<string, Entry>;
  readonly wakeAt: number | undefined;
  readonly closed: boolean;
}

/** No request waits for an answer. */
export const NOTHING_OWED: Owed = { answer: false, names: new Set(), notBefore: 0 };

/** The state of a stream on which nothing was said yet. */
export function openSession(protocol: Protocol, options: { readonly legacyWildcard: boolean }, now: number): Session {
  return {
    protocol,
    legacyWildcard: options.legacyWildcard,
    view: undefined,
    recent: [],
    resumed: false,
    nonce: 0,
    writing: false,
    startedAt: now,
    channels: {},
    warming: new Map(),
    assignments: new Map(),
    wakeAt: undefined,
    closed: false,
  };
}

/** What is known of a type that a stream did not ask for. */
export const NEW_CHANNEL: Channel = {
  subscription: UNSUBSCRIBED,
  claim: undefined,
  owed: NOTHING_OWED,
  offered: NOTHING,
  acked: NOTHING,
  ackedVersion: "",
  inflight: [],
  lastNonce: 0,
  lastVersion: "",
  holds: new Map(),
  nack: undefined,
  nacks: 0,
  refused: [],
  doubted: new Set(),
  unremoved: new Set(),
};

/** The session with another state of one type. */
export function withChannel(session: Session, type: ResourceType, channel: Channel): Session {
  return session.channels[type] === channel ? session : { ...session, channels: { ...session.channels, [type]: channel } };
}
