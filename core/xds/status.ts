import type { ResourceType } from "#core/edition/resource.ts";
import { difference, EMPTY_ASSIGNMENT, offerOf, UNKNOWN_NEEDS } from "./offer.ts";
import { ORDER } from "./resource-rules.ts";
import type { Channel, Nack, Session } from "./session.ts";

/** How far a client follows one type; the words are those of `ConfigStatus` (envoy/service/status/v3/csds.proto). */
export interface TypeStatus {
  readonly type: ResourceType;
  readonly status: "SYNCED" | "STALE" | "ERROR" | "NOT_SENT";
  readonly sentVersion: string;
  readonly ackedVersion: string;
  readonly resources: number;
  readonly held: readonly string[];
  readonly nacks: number;
  readonly nack?: Nack;
}

/** What a stream has subscribed to, in order of types. */
export function statusOf(session: Session): readonly TypeStatus[] {
  return ORDER.flatMap(({ type }) => {
    const channel = session.channels[type];
    if (channel === undefined) return [];
    const { lastVersion, ackedVersion, offered, holds, nacks, nack } = channel;
    const counted = { type, status: statusOfChannel(channel), sentVersion: lastVersion, ackedVersion, resources: offered.entries.size };
    return [{ ...counted, held: [...holds.keys()], nacks, ...(nack && { nack }) }];
  });
}

function statusOfChannel({ nack, lastVersion, inflight }: Channel): TypeStatus["status"] {
  if (nack !== undefined) return "ERROR";
  if (lastVersion === "") return "NOT_SENT";
  return inflight.length > 0 ? "STALE" : "SYNCED";
}

/** Digests that the stream may still be sent although its newest view has them no more: of what goes late or comes late. */
export function retainedDigests({ view, channels, assignments }: Session): readonly string[] {
  if (view === undefined) return [];
  const offered = ORDER.flatMap((rule) => {
    const channel = channels[rule.type];
    if (channel === undefined || rule.type === "secrets" || rule.type === "names") return [];
    const { changed } = difference(offerOf(view, rule, channel.subscription), channel.offered);
    return changed.flatMap(({ entry }) => (entry.needs === UNKNOWN_NEEDS || entry === EMPTY_ASSIGNMENT ? [] : [entry.digest]));
  });
  return [...offered, ...[...assignments.values()].map(({ digest }) => digest)];
}
