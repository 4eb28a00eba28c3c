import { Command } from "commander";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import type { Directory } from "#core/node/directory.ts";
import type { Dialect, Facts } from "#core/node/facts.ts";
import { findFacts } from "#core/node/find-facts.ts";
import { place } from "#core/node/place.ts";
import type { PlacedLayer } from "#core/node/placement.ts";
import type { Rules } from "#core/node/rules.ts";
import { compile } from "#core/pipeline/compile.ts";
import { loadHead } from "#core/store/load.ts";
import { CommandFailure } from "./failure.ts";
import { flag } from "./flags.ts";
import { addInputOptions, type InputOptions, readInputs, resolveInputs } from "./inputs.ts";
import { readNode } from "./nodes.ts";
import { atStore, openStoreContext } from "./open-store.ts";

interface NodeOptions extends InputOptions {
  readonly dialect?: Dialect;
  readonly store: string;
}

/** `almanac node`: what is known of a node, where it is placed, and why. */
export function nodeCommand(): Command {
  const command = new Command("node")
    .description("Explain a node: its facts, the layers that it is served in order, and what decides each of them.")
    .argument("<file>", "the xDS Node as JSON")
    .argument("[dirs...]", "folders to compile; without them the newest edition in --store is read")
    .addOption(flag("--store URL", "where editions are", ".almanac"))
    .addOption(flag("--dialect <dialect>", "how to spell it, whatever the node says of itself").choices(["istio-proxy", "envoy", "grpc"]));
  return addInputOptions(command, { allocateAddresses: false }).action(run);
}

async function run(file: string, dirs: readonly string[], options: NodeOptions): Promise<void> {
  const node = readNode(file);
  const { directory, rulesFor, sizes } = dirs.length > 0 ? compiled(dirs, options) : await stored(options);
  const facts = findFacts(node, directory, options.dialect);
  if ("error" in facts) throw new CommandFailure(facts.error, 2);
  const placement = place(facts, rulesFor(facts));
  const layers = "wanted" in placement ? [] : placement.layers.map((layer) => ({ ...explain(layer), resources: sizes(facts, layer.key) }));
  const wanted = "wanted" in placement ? { wanted: placement.wanted } : {};
  process.stdout.write(`${JSON.stringify({ facts, layers, ...wanted }, undefined, 2)}\n`);
}

interface World {
  readonly directory: Directory;
  readonly rulesFor: (facts: Facts) => Rules;
  /** How many resources a layer has; undefined if it was not compiled. */
  readonly sizes: (facts: Facts, key: string) => number | undefined;
}

function compiled(dirs: readonly string[], options: NodeOptions): World {
  const inputs = readInputs(dirs, options);
  const mesh = resolveInputs(inputs, options);
  return {
    directory: resolveDirectory(mesh),
    rulesFor: (facts) => compile(mesh, [facts]).rules,
    sizes: (facts, key) => compile(mesh, [facts]).layers.get(key)?.contents.resources.length,
  };
}

async function stored({ store }: NodeOptions): Promise<World> {
  const context = await openStoreContext(store);
  const loaded = await atStore(store, () => loadHead(context));
  if (loaded.outcome === "empty")
    throw new CommandFailure(`${store}: nothing was published there yet; give folders to compile, or run almanac build`);
  const edition = loaded.head.loaded;
  return { directory: edition.directory, rulesFor: () => edition.rules, sizes: (_, key) => edition.layer(key)?.resources.size };
}

/** A layer with what decides it; what repeats an earlier layer's reasons is left to that one. */
function explain({ kind, key, placement }: PlacedLayer): Readonly<Record<string, unknown>> {
  if (kind === "scope") return { kind, key, decidedBy: placement };
  if (kind === "node") return { kind, key, decidedBy: { addresses: placement.addresses } };
  const { scope, ...rest } = placement;
  return { kind, key, ...(kind === "vantage" && { sharedBy: scope === undefined ? "all scopes" : "this scope" }), decidedBy: rest };
}
