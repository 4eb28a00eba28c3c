import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import { withAllocations } from "#core/pipeline/allocations.ts";
import { emptyInventory, findObject, type Inventory } from "#core/sources/inventory.ts";
import { type FindEarlier, takeDocuments } from "#core/sources/take-documents.ts";
import { apiRegistry } from "../io/api.ts";
import { readFolder } from "../io/folder.ts";
import { parseYaml } from "../io/yaml.ts";
import { CommandFailure } from "./failure.ts";
import { flag, repeatable } from "./flags.ts";

/** Options that say where objects and mesh-wide settings come from; the same for every command that compiles. */
export interface InputOptions {
  readonly mesh?: string;
  readonly networks?: string;
  readonly cluster?: readonly string[];
  readonly clusterId: string;
  readonly revision?: string;
  readonly domain: string;
  readonly allocateAddresses: boolean;
}

/** What compiling starts from. */
export interface Inputs {
  readonly inventory: Inventory;
  readonly diagnostics: readonly Diagnostic[];
  /** Parsed, undefined if there is none. */
  readonly meshConfig: unknown;
  readonly networks: unknown;
}

/** Adds them to a command. */
export function addInputOptions(command: Command, defaults: { readonly allocateAddresses: boolean }): Command {
  command
    .addOption(flag("--mesh FILE", "mesh config (else ConfigMap istio of the root namespace, key mesh)"))
    .addOption(flag("--networks FILE", "mesh networks (else the same ConfigMap, key meshNetworks)"))
    .addOption(repeatable("--cluster ID=DIR", "a further cluster's folder; may be given several times"))
    .addOption(flag("--cluster-id ID", "id of the cluster whose folders are the arguments", "Kubernetes"))
    .addOption(flag("--revision NAME", "only objects of this istio.io/rev, and those of none"))
    .addOption(flag("--domain SUFFIX", "DNS suffix of the clusters", "cluster.local"))
    .addOption(flag("--allocate-addresses", "give ServiceEntries without addresses virtual ones", defaults.allocateAddresses));
  return defaults.allocateAddresses ? command.addOption(flag("--no-allocate-addresses", "give them none")) : command;
}

/** Reads and admits every folder; `earlier` finds the last good form of what is broken now. Throws {@link CommandFailure} (exit 2) for a folder or file that can't be read; broken objects are diagnostics. */
export function readInputs(dirs: readonly string[], options: InputOptions, earlier?: FindEarlier): Inputs {
  const diagnostics: Diagnostic[] = [];
  let inventory = emptyInventory(options.clusterId);
  for (const [cluster, folders] of foldersByCluster(dirs, options)) {
    const content = readable(() => readFolder(folders, cluster), folders.join(", "));
    const unreadable = content.diagnostics.find((one) => one.severity === "error");
    if (unreadable !== undefined) throw new CommandFailure(placeOf(unreadable), 2);
    const taken = takeDocuments(
      inventory,
      content.documents,
      { cluster, types: apiRegistry, istio: cluster === options.clusterId },
      earlier && { find: earlier, carried: [] },
    );
    inventory = taken.inventory;
    diagnostics.push(...content.diagnostics, ...taken.diagnostics);
  }
  const settings = meshSettings(inventory, options);
  return { inventory, diagnostics, ...settings };
}

function placeOf({ file = "", line, message }: Diagnostic): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
}

/** Mesh config and networks: from the files given, else from the ConfigMap `istio` of the root namespace, as istiod reads it. */
export function meshSettings(inventory: Inventory, options: InputOptions): { readonly meshConfig: unknown; readonly networks: unknown } {
  const key = {
    cluster: options.clusterId,
    kind: "ConfigMap",
    namespace: "istio-system",
    name: options.revision ? `istio-${options.revision}` : "istio",
  } as const;
  const data = findObject(inventory, key)?.spec.data ?? {};
  return {
    meshConfig: options.mesh === undefined ? parseText(data.mesh) : readYamlFile(options.mesh),
    networks: options.networks === undefined ? parseText(data.meshNetworks) : readYamlFile(options.networks),
  };
}

/** What an inventory is resolved with. */
export function resolveOptions(inputs: Pick<Inputs, "meshConfig" | "networks">, options: InputOptions): ResolveOptions {
  const { meshConfig, networks } = inputs;
  return {
    ...(meshConfig !== undefined && { meshConfig }),
    ...(networks !== undefined && { networks }),
    domainSuffix: options.domain,
    configCluster: options.clusterId,
    ...(options.revision !== undefined && { revision: options.revision }),
  };
}

/** The mesh that inputs make, with virtual addresses if they are asked for. */
export function resolveInputs(inputs: Inputs, options: InputOptions): ResolvedMesh {
  const given = resolveOptions(inputs, options);
  return resolveMesh(inputs.inventory, options.allocateAddresses ? withAllocations(given, inputs.inventory, {}) : given);
}

/** Cluster id → folders, the config cluster first. */
export function foldersByCluster(dirs: readonly string[], options: InputOptions): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, readonly string[]>([[options.clusterId, dirs]]);
  for (const pair of options.cluster ?? []) {
    const at = pair.indexOf("=");
    if (at <= 0) throw new CommandFailure(`--cluster ${pair}: wanted ID=DIR`);
    const id = pair.slice(0, at);
    folders.set(id, [...(folders.get(id) ?? []), pair.slice(at + 1)]);
  }
  return folders;
}

/** The first document of a YAML or JSON file. Throws {@link CommandFailure} (exit 2) if there is no such file or it is broken. */
export function readYamlFile(file: string): unknown {
  if (!existsSync(file)) throw new CommandFailure(`${file}: no such file`, 2);
  const { documents, problems } = parseYaml(readable(() => readFileSync(file, "utf8"), file));
  const [problem] = problems;
  if (problem !== undefined) throw new CommandFailure(`${file}:${problem.line}: ${problem.message}`, 2);
  return documents[0]?.value;
}

function parseText(text: string | undefined): unknown {
  return text === undefined ? undefined : parseYaml(text).documents[0]?.value;
}

function readable<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (error) {
    throw new CommandFailure(`${what} can't be read: ${error instanceof Error ? error.message : String(error)}`, 2);
  }
}
