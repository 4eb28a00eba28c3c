import { setTimeout as sleep } from "node:timers/promises";

/** Thrown by an attempt to say that waiting on is useless. */
export class GiveUp extends Error {}

/**
 * Repeats `attempt` until it returns something other than undefined or false, and returns that. A throwing attempt counts as "not yet".
 * Fails after `timeoutMs` with the last error, so that a test says what it waited for and what it saw.
 */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const result = await attempt();
      if (result !== undefined && result !== false) return result;
      last = undefined;
    } catch (error) {
      if (error instanceof GiveUp) throw error;
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause: last });
    await sleep(20);
  }
}
