import type { Channel } from "./session.ts";

/** So long after its bytes have left, a change that nobody acknowledged no longer keeps the next one back: some clients never answer. */
export const UNACKED_MS = 30_000;

/** Responses in flight that are remembered; older ones of a client that never answers are given up. */
export const MAX_INFLIGHT = 32;

/** Whether a change of this type is in flight, so that the next one must wait. */
export function isBlocked(channel: Channel, now: number): boolean {
  return channel.inflight.some(({ change, writtenAt }) => change && (writtenAt === undefined || now < writtenAt + UNACKED_MS));
}

/** When the type will no longer be blocked, if by time alone. */
export function unblockedAt(channel: Channel, now: number): number | undefined {
  const moments = channel.inflight.flatMap(({ change, writtenAt }) => (change && writtenAt !== undefined ? [writtenAt + UNACKED_MS] : []));
  const latest = Math.max(...moments);
  return moments.length > 0 && latest > now ? latest : undefined;
}
