import { canonicalText } from "#core/lib/canonical.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import { meshConfigProblems } from "#core/model/resolve/config/mesh-config.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Log } from "../io/log.ts";
import type { SourceState } from "../watch/source-state.ts";
import type { Sources } from "../watch/writer.ts";
import { CommandFailure } from "./failure.ts";
import { type InputOptions, meshSettings, resolveOptions } from "./inputs.ts";

/** Settings in force, and what is wrong with those that are passed over for them. */
interface Settings {
  /** What was found, as text. */
  readonly text: string;
  readonly options: ResolveOptions;
  readonly passedOver: readonly Diagnostic[];
}

/**
 * What a writer compiles: the folders' inventory, and mesh config and networks as their files or the ConfigMap say now. Settings that did not change keep
 * their identity; ones that can't be read or used any more leave the last good ones in force.
 */
export function sourcesOf(state: SourceState, options: InputOptions, log: Log): () => Sources {
  let settings: Settings | undefined;
  return () => {
    const inventory = state.inventory();
    try {
      settings = settle(meshSettings(inventory, options), options, settings, log);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error("mesh config or networks can't be read; the last good ones stay in force", { reason });
    }
    settings ??= { text: "", options: resolveOptions({ meshConfig: undefined, networks: undefined }, options), passedOver: NONE };
    const { options: resolved, passedOver } = settings;
    return { inventory, options: resolved, allocate: options.allocateAddresses, admission: joined(state.diagnostics(), passedOver) };
  };
}

function settle(found: ReturnType<typeof meshSettings>, options: InputOptions, before: Settings | undefined, log: Log): Settings {
  const text = canonicalText(found);
  if (text === before?.text) return before;
  const problems = meshConfigProblems(found.meshConfig);
  // What is wrong with settings in force the mesh itself tells.
  if (before === undefined || problems.length === 0) return { text, options: resolveOptions(found, options), passedOver: NONE };
  for (const { message, field } of problems) log.error("the last good mesh config stays in force", { field, message });
  return { text, options: before.options, passedOver: problems };
}

const NONE: readonly Diagnostic[] = [];

/** The same list for the same parts: by its identity a build knows that nothing else is said. */
const joined = memoize((found: readonly Diagnostic[], passedOver: readonly Diagnostic[]): readonly Diagnostic[] =>
  passedOver.length === 0 ? found : [...found, ...passedOver],
);

/**
 * Later a file that can't be used leaves the last good one in force; at the start there is none, and without its settings another mesh would be served.
 * Throws {@link CommandFailure} (exit 2).
 */
export function checkSettings(state: SourceState, options: InputOptions): void {
  const { meshConfig } = meshSettings(state.inventory(), options);
  const [problem] = meshConfigProblems(meshConfig);
  if (problem !== undefined) throw new CommandFailure(`${options.mesh ?? ""}: ${problem.field}: ${problem.message}`, 2);
}
