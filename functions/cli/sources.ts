import { canonicalText } from "#core/lib/canonical.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import { meshConfigProblems } from "#core/model/resolve/mesh-config.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Log } from "../io/log.ts";
import type { SourceState } from "../watch/source-state.ts";
import type { Sources } from "../watch/writer.ts";
import { CommandFailure } from "./failure.ts";
import { type InputOptions, meshSettings, resolveOptions } from "./inputs.ts";

/**
 * What a writer compiles: the folders' inventory, and mesh config and networks as their files or the ConfigMap say now. Settings that did not change keep
 * their identity; ones that can't be read or used any more leave the last good ones in force.
 */
export function sourcesOf(state: SourceState, options: InputOptions, log: Log): () => Sources {
  let text = "";
  let settings: ResolveOptions | undefined;
  /** Of settings that are passed over: of those in force the mesh itself tells. */
  let passedOver: readonly Diagnostic[] = NONE;
  return () => {
    const inventory = state.inventory();
    try {
      const found = meshSettings(inventory, options);
      if (canonicalText(found) !== text) {
        text = canonicalText(found);
        const problems = meshConfigProblems(found.meshConfig);
        passedOver = settings === undefined || problems.length === 0 ? NONE : problems;
        if (passedOver === NONE) settings = resolveOptions(found, options);
        else for (const { message, field } of passedOver) log.error("the last good mesh config stays in force", { field, message });
      }
    } catch (error) {
      log.error("mesh config or networks can't be read; the last good ones stay in force", {
        reason: error instanceof Error ? error.message : String(error),
      });
    }
    settings ??= resolveOptions({ meshConfig: undefined, networks: undefined }, options);
    return { inventory, options: settings, allocate: options.allocateAddresses, admission: joined(state.diagnostics(), passedOver) };
  };
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
