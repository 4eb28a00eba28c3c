import { Command } from "commander";
import type { Edition } from "#core/edition/edition.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { type Build, build } from "#core/pipeline/build.ts";
import { storedCensus } from "#core/pipeline/census.ts";
import { storedObject } from "#core/pipeline/inventory-documents.ts";
import { type Ground, groundOf, publishBuild, RACES } from "#core/pipeline/publish-build.ts";
import type { PublishContext } from "#core/store/context.ts";
import { loadHead } from "#core/store/load.ts";
import { openLog } from "../io/log.ts";
import { takeWanted } from "../watch/wanted-nodes.ts";
import { BUILDER } from "./builder.ts";
import { CommandFailure } from "./failure.ts";
import { flag, repeatable } from "./flags.ts";
import { addInputOptions, type InputOptions, type Inputs, readInputs, resolveOptions } from "./inputs.ts";
import { readNodes } from "./nodes.ts";
import { atStore, openStoreContext } from "./open-store.ts";
import { printDiagnostics } from "./print-diagnostics.ts";

interface BuildOptions extends InputOptions {
  readonly store: string;
  readonly node?: readonly string[];
}

/** `almanac build`: compile once and publish. */
export function buildCommand(): Command {
  const command = new Command("build")
    .description("Compile folders once and publish the edition to a store; front-ends serve it from there.")
    .argument("<dirs...>", "folders (or files) of YAML and JSON")
    .addOption(flag("--store URL", "where to publish", ".almanac"))
    .addOption(repeatable("--node NAME=FILE", "a node to compile for, beside those that the store knows"))
    .addHelpText("after", "\nPrints one JSON object: edition, generation, changed, layers, bytes. A build that changes nothing writes nothing.");
  return addInputOptions(command, { allocateAddresses: false }).action(run);
}

async function run(dirs: readonly string[], options: BuildOptions): Promise<void> {
  const context = await openStoreContext(options.store);
  const ground = groundOf(await atStore(options.store, () => loadHead(context)));
  const { edition } = ground;
  const earlier = edition && ((key: ObjectKey) => storedObject(edition.inventory, key));
  const inputs = readInputs(dirs, options, earlier);
  const given = readNodes(options.node ?? []).map(({ node }) => node);
  await takeWanted(context.store, openLog(), async (wanted) => compileFor([...wanted, ...given], { context, ground, inputs, options }));
}

interface Work {
  readonly context: PublishContext;
  readonly ground: Ground;
  readonly inputs: Inputs;
  readonly options: BuildOptions;
}

/** Builds on what is published and publishes, for the nodes that the store knows and these. */
async function compileFor(nodes: readonly NodeMessage[], { context, ground, inputs, options }: Work): Promise<void> {
  const asked = nodes.map((node) => ({ node }));
  const make = (base: Edition | undefined): Build => {
    const known = base === undefined ? [] : storedCensus(base.census);
    return build(
      {
        inventory: inputs.inventory,
        options: resolveOptions(inputs, options),
        allocate: options.allocateAddresses,
        admission: inputs.diagnostics,
        census: [...known.filter(({ node }) => !asked.some((one) => one.node.id === node.id)), ...asked],
        sealer: context.sealer,
        builder: BUILDER,
      },
      base,
    );
  };
  const result = await publishBuild(context, ground, { make, atStore: (act) => atStore(options.store, act) });
  if (!("build" in result))
    throw new CommandFailure(`${options.store}: ${RACES} times another publisher was faster; is a watcher running on the same store?`);
  process.stderr.write(printDiagnostics([...inputs.diagnostics, ...result.build.diagnostics], "log"));
  const { id: edition, generation, layers } = result.build.edition;
  const bytes = result.outcome === "published" ? result.bytes : 0;
  process.stdout.write(`${JSON.stringify({ edition, generation, changed: result.outcome === "published", layers: layers.size, bytes })}\n`);
}
