import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import { admit } from "#core/sources/admit.ts";
import { emptyInventory, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import { apiRegistry } from "#functions/io/api.ts";
import { readFolder } from "#functions/io/folder.ts";
import { parseYaml } from "#functions/io/yaml.ts";

/** One folder of the oracle: `case.yaml`, `input/`, and where the case has them `clusters/<id>/`, `mesh.yaml`, `networks.yaml`. */
export interface OracleCase {
  readonly about: string;
  /** Each an xDS Node as JSON, by the name of its expected file. */
  readonly nodes: readonly { readonly name: string; readonly node: unknown }[];
  readonly inventory: Inventory;
  readonly diagnostics: readonly Diagnostic[];
  /** Parsed, undefined where the case has none. */
  readonly meshConfig: unknown;
  readonly networks: unknown;
}

/** Reads and admits a case; the config cluster is "Kubernetes". */
export function readOracleCase(dir: string): OracleCase {
  const { about, nodes } = readYamlFile(join(dir, "case.yaml")) as Pick<OracleCase, "about" | "nodes">;
  const clusters = new Map([["Kubernetes", join(dir, "input")]]);
  const others = join(dir, "clusters");
  if (existsSync(others)) for (const id of readdirSync(others)) clusters.set(id, join(others, id));
  const diagnostics: Diagnostic[] = [];
  let inventory = emptyInventory();
  for (const [cluster, folder] of clusters) {
    const content = readFolder([folder], cluster);
    const admitted = admit(content.documents, { cluster, types: apiRegistry, istio: cluster === "Kubernetes" });
    inventory = replaceAll(inventory, cluster, admitted);
    diagnostics.push(...content.diagnostics, ...admitted.diagnostics);
  }
  const meshConfig = readYamlFile(join(dir, "mesh.yaml"));
  return { about, nodes, inventory, diagnostics, meshConfig, networks: readYamlFile(join(dir, "networks.yaml")) };
}

/** The mesh of a case. */
export function resolveOracleCase({ inventory, meshConfig, networks }: OracleCase): ResolvedMesh {
  const files = { ...(meshConfig !== undefined && { meshConfig }), ...(networks !== undefined && { networks }) };
  return resolveMesh(inventory, { ...files, domainSuffix: "cluster.local", configCluster: "Kubernetes" });
}

function readYamlFile(path: string): unknown {
  return existsSync(path) ? parseYaml(readFileSync(path, "utf8")).documents[0]?.value : undefined;
}
