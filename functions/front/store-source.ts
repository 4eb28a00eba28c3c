import type { Loaded } from "#core/edition/loaded.ts";
import type { StoreContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import { loadHead } from "#core/store/load.ts";
import type { EditionSource } from "#core/xds/serving.ts";
import type { Log } from "../io/log.ts";
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
  readonly stop: () => void;
}

interface State {
  head: Head | undefined;
  /** The store did not answer, or what it answered can't be used. */
  trouble: string | undefined;
  unreachable: boolean;
  /** When the root was last seen, in milliseconds. */
  seenAt: number;
}

/** Loads what the store serves and follows it. Never goes back in generation; goes on serving when the store is gone, and says so. */
export async function followStore(options: StoreSourceOptions): Promise<StoreSource> {
  const { context, log, pollMs, maxStalenessMs } = options;
  const listeners = new Set<() => void>();
  const state: State = { head: await cached(options), trouble: undefined, unreachable: false, seenAt: context.now() };
  const remembered = state.head;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const poll = async (): Promise<void> => {
    const before = state.head?.loaded;
    await look(options, state);
    if (state.head?.loaded !== before && !stopped) for (const listener of listeners) listener();
    if (!stopped) timer = setTimeout(poll, pollMs);
  };
  await poll();
  if (state.head === remembered && remembered !== undefined)
    log.warn("serving the edition that was kept on disk", { generation: remembered.root.generation });

  return {
    loaded: () => state.head?.loaded,
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

async function look(options: StoreSourceOptions, state: State): Promise<void> {
  const { context, log, cache } = options;
  try {
    const found = await loadHead(context, state.head);
    state.seenAt = context.now();
    if (found.outcome === "empty") return settle(state, log, { trouble: "nothing was published to the store yet" });
    if (found.outcome === "behind") {
      return settle(state, log, {
        trouble: `the store has gone back to generation ${found.generation}; generation ${found.head.root.generation} is served on`,
      });
    }
    state.head = found.head;
    settle(state, log, {});
    if (found.outcome === "loaded") await keep(cache, found.head, log);
  } catch (error) {
    const unreachable = !(await answers(context));
    const reason = error instanceof Error ? error.message : String(error);
    settle(state, log, {
      trouble: unreachable ? `the store can't be reached: ${reason}` : `the store holds what can't be used: ${reason}`,
      unreachable,
    });
  }
}

/** Logs trouble when it comes and goes, not at each poll. */
function settle(state: State, log: Log, { trouble, unreachable = false }: { readonly trouble?: string; readonly unreachable?: boolean }): void {
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
