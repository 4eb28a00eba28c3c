import { HOLD_MS } from "./hold-time.ts";
import { ORDER } from "./resource-rules.ts";
import type { Channel, Session } from "./session.ts";
import { unblockedAt } from "./unacked.ts";

/** The next moment at which time alone makes a difference. */
export function nextWake(session: Session, now: number): number | undefined {
  const { channels, startedAt, resumed } = session;
  const moments = ORDER.flatMap(({ type }) => momentsOf(channels[type], now));
  // Clusters that the client brought along may wait for time alone (`keptClusters`).
  if (resumed) moments.push(startedAt + HOLD_MS);
  const next = moments.reduce((first, at) => (at > now && at < first ? at : first), Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? next : undefined;
}

function momentsOf(channel: Channel | undefined, now: number): readonly number[] {
  if (channel === undefined) return NONE;
  const { holds, owed, inflight } = channel;
  if (holds.size === 0 && owed.notBefore === 0 && inflight.length === 0) return NONE;
  return [
    ...[...holds.values()].map((since) => since + HOLD_MS),
    owed.names.size > 0 || owed.answer ? owed.notBefore : 0,
    unblockedAt(channel, now) ?? 0,
  ];
}

const NONE: readonly number[] = [];
