import { HOLD_MS } from "./hold-time.ts";
import { hasStrangers, NOTHING } from "./offer.ts";
import { ORDER } from "./resource-rules.ts";
import type { Channel, Session } from "./session.ts";
import { unblockedAt } from "./unacked.ts";

/** The next moment at which time alone makes a difference. */
export function nextWake(session: Session, now: number): number | undefined {
  let next = Number.POSITIVE_INFINITY;
  for (const { type } of ORDER) {
    const channel = session.channels[type];
    if (channel !== undefined) for (const at of momentsOf(channel)) if (at > now && at < next) next = at;
    if (channel !== undefined) next = Math.min(next, unblockedAt(channel, now) ?? next);
  }
  // Clusters that the client brought along may wait for time alone (`keptClusters`).
  const strangers = hasStrangers(session.channels.clusters?.offered ?? NOTHING) ? session.startedAt + HOLD_MS : 0;
  if (strangers > now) next = Math.min(next, strangers);
  return Number.isFinite(next) ? next : undefined;
}

function momentsOf({ holds, owed }: Channel): number[] {
  return [...[...holds.values()].map((since) => since + HOLD_MS), owed.names.size > 0 || owed.answer ? owed.notBefore : 0];
}
