import { isSystemError, reasonAt, reasonOf } from "../io/file-error.ts";
import type { Fields, Log } from "../io/log.ts";

/** Milliseconds before the first new attempt: long enough not to press a store, short enough that a passing fault goes unnoticed. */
const FIRST_MS = 1_000;
/** Between attempts that have failed for a while. */
const MOST_MS = 30_000;

/** How somebody goes on who must not give up: each wait twice as long as the one before, and one line in the log however often the same thing fails. */
export interface Retry {
  /** Something failed; resolves when it is time to try again. */
  readonly failed: (error: unknown) => Promise<void>;
  /** It worked: the next failure is the first one again. */
  readonly worked: () => void;
  /** There is something new to try with: ends a wait, but not before the shortest one is over. */
  readonly news: () => void;
  /** Ends every wait at once, from now on. */
  readonly stop: () => void;
}

export function openRetry(log: Log): Retry {
  let failures = 0;
  let said = "";
  let wait: Wait | undefined;
  let stopped = false;
  return {
    failed: async (error) => {
      failures += 1;
      const milliseconds = Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS);
      const text = reasonOf(error);
      const next = { seconds: milliseconds / 1_000 };
      if (text === said) log.debug("the same failure again", { failures, ...next });
      else log.error("an edition could not be built or published; trying again", { ...causeOf(error), ...next });
      said = text;
      if (stopped) return;
      wait = openWait(milliseconds);
      await wait.over;
      wait = undefined;
    },
    worked: () => {
      if (failures > 0) log.info("editions are built and published again", { failures });
      failures = 0;
      said = "";
    },
    news: () => wait?.news(),
    stop: () => {
      stopped = true;
      wait?.end();
    },
  };
}

/** What the system refused is said in a word; anything else with where it happened. */
function causeOf(error: unknown): Fields {
  return isSystemError(error) ? { reason: reasonAt(error) } : { error };
}

interface Wait {
  readonly over: Promise<void>;
  readonly news: () => void;
  readonly end: () => void;
}

function openWait(milliseconds: number): Wait {
  let end = (): void => {};
  let rested = false;
  let hurried = false;
  const over = new Promise<void>((resolve) => {
    const shortest = setTimeout(() => {
      rested = true;
      if (hurried) end();
    }, FIRST_MS);
    const whole = setTimeout(() => end(), milliseconds);
    end = () => {
      clearTimeout(shortest);
      clearTimeout(whole);
      resolve();
    };
  });
  return {
    over,
    news: () => {
      hurried = true;
      if (rested) end();
    },
    end: () => end(),
  };
}
