import { canonicalText } from "#core/lib/canonical.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Log } from "../io/log.ts";
import type { SourceState } from "../watch/source-state.ts";
import type { Sources } from "../watch/writer.ts";
import { type InputOptions, meshSettings, resolveOptions } from "./inputs.ts";

/**
 * What a writer compiles: the folders' inventory, and mesh config and networks as their files or the ConfigMap say now. Settings that did not change keep
 * their identity; ones that can't be read any more leave the last good ones in force.
 */
export function sourcesOf(state: SourceState, options: InputOptions, log: Log): () => Sources {
  let text = "";
  let settings: ResolveOptions = resolveOptions({ meshConfig: undefined, networks: undefined }, options);
  return () => {
    const inventory = state.inventory();
    try {
      const found = meshSettings(inventory, options);
      if (canonicalText(found) !== text) {
        text = canonicalText(found);
        settings = resolveOptions(found, options);
      }
    } catch (error) {
      log.error("mesh config or networks can't be read; the last good ones stay in force", { error });
    }
    return { inventory, options: settings, allocate: options.allocateAddresses, admission: state.diagnostics() };
  };
}
