import { unwatchFile, watchFile } from "node:fs";
import { Command } from "commander";
import type { Edition } from "#core/edition/edition.ts";
import { storedObject, storedObjects } from "#core/pipeline/inventory-documents.ts";
import { makePlacer } from "#core/xds/placer.ts";
import { recentEditions } from "../front/recent-editions.ts";
import { startServers } from "../front/servers.ts";
import type { ServerFlags } from "../front/settings.ts";
import { type Log, openLog } from "../io/log.ts";
import { untilAsked } from "../io/signals.ts";
import { type FolderWatch, watchFolders } from "../io/watch.ts";
import { type Published, sourceState } from "../watch/source-state.ts";
import { followWanted } from "../watch/wanted-nodes.ts";
import { openWriter, type Writer } from "../watch/writer.ts";
import { BUILDER } from "./builder.ts";
import { diagnosticLog } from "./diagnostic-log.ts";
import { flag } from "./flags.ts";
import { addInputOptions, foldersByCluster, type InputOptions } from "./inputs.ts";
import { atStore, openStoreContext } from "./open-store.ts";
import { addServerOptions, asFailure, isMetricsOptional, serverSettings } from "./server-options.ts";
import { checkSettings, sourcesOf } from "./sources.ts";
import { writerSource } from "./writer-source.ts";

interface ServeOptions extends InputOptions, ServerFlags {
  readonly store: string;
}

/** How often the files of mesh config and networks are looked at. */
const SETTINGS_MS = 500;

/** `almanac serve`: everything in one process. */
export function serveCommand(): Command {
  const command = new Command("serve")
    .description("Watch folders, compile them, publish editions to a store, and serve xDS: everything in one process.")
    .argument("<dirs...>", "folders (or files) of YAML and JSON, watched")
    .addOption(flag("--store URL", "where editions are kept: a folder, or memory:", ".almanac"));
  return addServerOptions(addInputOptions(command, { allocateAddresses: true })).action(run);
}

async function run(dirs: readonly string[], options: ServeOptions, command: Command): Promise<void> {
  const settings = serverSettings(options);
  const context = await openStoreContext(options.store, "made");
  const log = openLog();
  const state = sourceState(options.clusterId, [...foldersByCluster(dirs, options).keys()]);
  checkSettings(state, options);
  const present = sourcesOf(state, options, log);
  const sources = () => (state.ready() ? present() : undefined);
  const writer = await atStore(options.store, () => openWriter({ context, log, builder: BUILDER, sources, onDiagnostics: diagnosticLog(log) }));
  const source = writerSource(writer);
  // An edition of an earlier run is served at once, while the folders are read.
  const recent = () => {
    const head = writer.head();
    return head === undefined ? [] : recentEditions(head, context.sealer);
  };
  const placer = makePlacer({ loaded: source.loaded, recent, want: (node) => void writer.compileFor([{ node }]) });
  const print = (line: string): boolean => process.stdout.write(`${line}\n`);
  const servers = await startServers({ ...settings, metricsOptional: isMetricsOptional(command), source, placer, log, print }).catch(
    (error: unknown) => {
      throw asFailure(error);
    },
  );
  const watches = watchAll(dirs, options, { state, writer, log });
  const settingsFiles = [options.mesh, options.networks].flatMap((file) => file ?? []);
  for (const file of settingsFiles) watchFile(file, { interval: SETTINGS_MS }, () => void writer.changed());
  const stopWanting = followWanted(context.store, log, (nodes) => writer.compileFor(nodes.map((node) => ({ node }))));
  await untilAsked();
  stopWanting();
  for (const file of settingsFiles) unwatchFile(file);
  for (const watch of watches) watch.close();
  await servers.stop();
  await writer.stop();
  process.exit(0);
}

interface Serving {
  readonly state: ReturnType<typeof sourceState>;
  readonly writer: Writer;
  readonly log: Log;
}

function watchAll(dirs: readonly string[], options: ServeOptions, { state, writer, log }: Serving): readonly FolderWatch[] {
  const tell = diagnosticLog(log);
  const published = publishedBy(writer);
  return [...foldersByCluster(dirs, options)].map(([cluster, folders]) =>
    watchFolders({
      dirs: folders,
      cluster,
      onContent: async (content) => {
        const changed = state.accept(cluster, content, published);
        tell(state.diagnostics());
        if (changed) await writer.changed();
      },
      onError: (error) => log.error("the content of a folder could not be taken", { cluster, error }),
    }),
  );
}

/** The objects of the edition that the writer goes on from. */
function publishedBy(writer: Writer): Published {
  const inventory = (): Edition["inventory"] | undefined => writer.head()?.edition.inventory;
  return {
    find: (key) => {
      const stored = inventory();
      return stored && storedObject(stored, key);
    },
    all: (cluster) => {
      const stored = inventory();
      return stored === undefined ? [] : storedObjects(stored, cluster);
    },
  };
}
