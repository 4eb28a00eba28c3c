import { makePlacer } from "#core/xds/placer.ts";
import { openLog } from "../io/log.ts";
import { storeContext } from "../io/store-context.ts";
import { diskCache } from "./disk-cache.ts";
import { type Servers, startServers } from "./servers.ts";
import { BadSetting, type FrontFlags, milliseconds, readServerSettings } from "./settings.ts";
import { followStore } from "./store-source.ts";
import { wantInStore } from "./wanted.ts";

export interface FrontOptions {
  readonly flags: FrontFlags;
  /** The metrics address was not asked for. */
  readonly metricsOptional: boolean;
  readonly print: (line: string) => void;
}

/** Serves what a store has: the read half alone. Throws {@link BadSetting} and `CannotListen`, whose messages are for the user. */
export async function runFront({ flags, metricsOptional, print }: FrontOptions): Promise<Pick<Servers, "stop">> {
  const settings = readServerSettings(flags);
  const pollMs = milliseconds("--poll-interval", flags.pollInterval);
  const maxStalenessMs = milliseconds("--max-staleness", flags.maxStaleness);
  const opened = await storeContext(flags.store);
  if ("error" in opened) throw new BadSetting(opened.error);
  const log = openLog();
  const { context, cache } = flags.cache === undefined ? { context: opened, cache: undefined } : diskCache(flags.cache, opened);
  const source = followStore({ context, cache, log, pollMs, maxStalenessMs });
  const placer = makePlacer({ loaded: source.loaded, recent: source.recent, want: wantInStore(opened.store, log, opened.now) });
  try {
    const servers = await startServers({ ...settings, metricsOptional, source, placer, log, print });
    return {
      stop: async () => {
        await Promise.all([source.stop(), servers.stop()]);
      },
    };
  } catch (error) {
    await source.stop();
    throw error;
  }
}
