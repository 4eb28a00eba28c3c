import { Command } from "commander";
import { layerKeys } from "#core/edition/next-edition.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { build } from "#core/pipeline/build.ts";
import { storedCensus } from "#core/pipeline/census.ts";
import { storedObject } from "#core/pipeline/inventory-documents.ts";
import type { PublishContext } from "#core/store/context.ts";
import { loadHead } from "#core/store/load.ts";
import { publish } from "#core/store/publish.ts";
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

/** A publisher that lost the race loads again and builds on that; more often than this means that something is wrong. */
const ATTEMPTS = 5;

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
  const published = await atStore(options.store, () => loadHead(context));
  const earlier = published.outcome === "empty" ? undefined : (key: ObjectKey) => storedObject(published.head.edition.inventory, key);
  const inputs = readInputs(dirs, options, earlier);
  const given = readNodes(options.node ?? []).map(({ node }) => node);
  await takeWanted(context.store, openLog(), async (wanted) => compileFor([...wanted, ...given], { context, inputs, options }));
}

interface Work {
  readonly context: PublishContext;
  readonly inputs: Inputs;
  readonly options: BuildOptions;
}

/** Builds on what is published and publishes, for the nodes that the store knows and these. */
async function compileFor(nodes: readonly NodeMessage[], { context, inputs, options }: Work): Promise<void> {
  const asked = nodes.map((node) => ({ node }));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const loaded = await atStore(options.store, () => loadHead(context));
    const head = loaded.outcome === "empty" ? undefined : loaded.head;
    const known = head === undefined ? [] : storedCensus(head.edition.census);
    const census = [...known.filter(({ node }) => !asked.some((one) => one.node.id === node.id)), ...asked];
    const result = build(
      {
        inventory: inputs.inventory,
        options: resolveOptions(inputs, options),
        allocate: options.allocateAddresses,
        admission: inputs.diagnostics,
        census,
        sealer: context.sealer,
        builder: BUILDER,
      },
      head?.edition,
    );
    const publication = await atStore(options.store, () => publish(context, head, result.edition));
    if (publication.outcome === "lost") continue;
    process.stderr.write(printDiagnostics([...inputs.diagnostics, ...result.diagnostics], "log"));
    const { id: edition, generation } = result.edition;
    const bytes = publication.outcome === "published" ? publication.bytes : 0;
    const printed = { edition, generation, changed: publication.outcome === "published", layers: layerKeys(result.edition).length, bytes };
    process.stdout.write(`${JSON.stringify(printed)}\n`);
    return;
  }
  throw new CommandFailure(`${options.store}: ${ATTEMPTS} times another publisher was faster; is a watcher running on the same store?`);
}
