import type { Loaded } from "#core/edition/loaded.ts";
import type { StoreContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import { loadHead } from "#core/store/load.ts";
import type { EditionSource } from "#core/xds/serving.ts";
import type { Log } from "../io/log.ts";
import { recentEditions } from "./recent-editions.ts";
import { servedEdition } from "./served-edition.ts";

export interface StoreSourceOptions {
  readonly context: StoreContext;
  /** Where the last edition is kept for a restart without the store. */
  readonly cache?: EditionCache | undefined;
  readonly log: Log;
  readonly pollMs: number;
  readonly maxStalenessMs: number;
}

/** Keeps what was loaded last. */
export interface EditionCache {
  readonly context: StoreContext;
  readonly keep: (head: Head) => Promise<void>;
}

/** The edition that a store serves, followed by polling its root. */
export interface StoreSource extends EditionSource {
  readonly loaded: () => Loaded | undefined;
  /** Editions before that one, newest first. */
  readonly recent: () => readonly Loaded[];
  /** Resolves when what is under way has ended. */
  readonly stop: () => Promise<void>;
}

interface State {
  head: Head | undefined;
  /** The store did not answer, or what it answered can't be used. */
  trouble: string | undefined;
  unreachable: boolean;
  /** When the root was last seen, in milliseconds. */
  seenAt: number;
}

/** Follows what the store serves, from now on. Never goes back in generation; goes on serving when the store is gone, and says so. */
export function followStore(options: StoreSourceOptions): StoreSource {
  const { context, pollMs, maxStalenessMs } = options;
  const listeners = new Set<() => void>();
  const state: State = { head: undefined, trouble: undefined, unreachable: false, seenAt: context.now() };
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const poll = async (remembered?: Head): Promise<void> => {
    const before = state.head?.loaded;
    await look(options, state, remembered);
    if (state.head?.loaded !== before && !stopped) for (const listener of listeners) listener();
    if (!stopped) timer = setTimeout(again, pollMs);
  };
  const again = (): void => {
    polling = poll();
  };
  let polling = cached(options).then(poll);

  return {
    loaded: () => state.head?.loaded,
    recent: () => (state.head === undefined ? [] : recentEditions(state.head, context.sealer)),
    served: () => state.head && servedEdition(state.head),
    health: () => {
      const young = context.now() - state.seenAt < maxStalenessMs;
      return { accepts: young || state.unreachable, ...(state.trouble !== undefined && { trouble: state.trouble }) };
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return polling;
    },
  };
}

/** What an earlier process of this front kept; a later load is compared with it. */
async function cached({ cache, log }: StoreSourceOptions): Promise<Head | undefined> {
  if (cache === undefined) return undefined;
  try {
    const kept = await loadHead(cache.context);
    // The token is the cache's own: the store is asked for its root in any case.
    return kept.outcome === "empty" ? undefined : { ...kept.head, token: "" };
  } catch (error) {
    log.warn("the edition kept on disk can't be used", { error });
    return undefined;
  }
}

/** Looks once. `remembered` is served if the store has nothing newer. */
async function look(options: StoreSourceOptions, state: State, remembered: Head | undefined): Promise<void> {
  const { context, log, cache } = options;
  const before = state.head ?? remembered;
  try {
    const found = await loadHead(context, before);
    state.seenAt = context.now();
    state.head = found.outcome === "empty" ? before : found.head;
    settle(state, log, { trouble: found.outcome === "loaded" || found.outcome === "unchanged" ? undefined : olderStore(found, before) });
    if (found.outcome === "loaded") await keep(cache, found.head, log);
  } catch (error) {
    state.head = before;
    const unreachable = !(await answers(context));
    const reason = error instanceof Error ? error.message : String(error);
    settle(state, log, {
      trouble: unreachable ? `the store can't be reached: ${reason}` : `the store holds what can't be used: ${reason}`,
      unreachable,
    });
  }
}

function olderStore(
  found: { readonly outcome: "empty" } | { readonly outcome: "behind"; readonly generation: number },
  before: Head | undefined,
): string {
  if (before === undefined) return "nothing was published to the store yet";
  const now = found.outcome === "empty" ? "was emptied" : `has gone back to generation ${found.generation}`;
  return `the store ${now}; generation ${before.root.generation} is served on`;
}

/** Logs trouble when it comes and goes, not at each poll. */
function settle(
  state: State,
  log: Log,
  { trouble, unreachable = false }: { readonly trouble: string | undefined; readonly unreachable?: boolean },
): void {
  if (trouble !== undefined && trouble !== state.trouble) log.warn(trouble, { serving: state.head?.root.generation ?? "nothing" });
  if (trouble === undefined && state.trouble !== undefined) log.info("the store is well again", { generation: state.head?.root.generation });
  state.trouble = trouble;
  state.unreachable = unreachable;
}

async function answers({ store }: StoreContext): Promise<boolean> {
  try {
    await store.get("root");
    return true;
  } catch {
    return false;
  }
}

async function keep(cache: EditionCache | undefined, head: Head, log: Log): Promise<void> {
  try {
    await cache?.keep(head);
  } catch (error) {
    log.warn("the edition could not be kept on disk for a restart", { error });
  }
}
