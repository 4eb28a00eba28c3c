import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type Analysis, analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import { admit } from "#core/sources/admit.ts";
import { emptyInventory, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import { parseYaml } from "#functions/io/yaml.ts";

const SUFFIX = { domainSuffix: "cluster.local", configCluster: "Kubernetes" };

/** What may differ from a mesh of one cluster without mesh config. */
export interface Circumstances {
  readonly meshConfig?: object;
  readonly networks?: object;
  /** YAML of further clusters, by id. */
  readonly clusters?: Readonly<Record<string, string>>;
}

/** The inventory of YAML documents; throws if any is refused, since analysis only sees what was admitted. */
export function inventoryOf(yaml: string, { clusters = {} }: Circumstances = {}): Inventory {
  let inventory = emptyInventory();
  for (const [cluster, text] of [["Kubernetes", yaml] as const, ...Object.entries(clusters)]) {
    const documents = parseYaml(text).documents.map(({ value }) => ({ value }));
    const admitted = admit(documents, { cluster });
    const refused = admitted.diagnostics.find((one) => one.refused);
    if (refused !== undefined) throw new Error(`${refused.key.kind} ${refused.key.name}: ${refused.field}: ${refused.message}`);
    inventory = replaceAll(inventory, cluster, admitted);
  }
  return inventory;
}

export function meshOf(inventory: Inventory, { meshConfig, networks }: Circumstances = {}): ResolvedMesh {
  return resolveMesh(inventory, { ...SUFFIX, ...(meshConfig && { meshConfig }), ...(networks && { networks }) });
}

export function analysisOf(yaml: string, circumstances: Circumstances = {}): Analysis {
  return analyzeMesh(meshOf(inventoryOf(yaml, circumstances), circumstances));
}

/** Diagnostics as `CODE severity Kind namespace/name field`, sorted; hints on namespaces apart, which nearly every mesh gets. */
export function found(yaml: string, circumstances: Circumstances = {}): readonly string[] {
  return analysisOf(yaml, circumstances)
    .diagnostics.filter(({ code }) => code !== "IST0102")
    .map(textOf)
    .sort();
}

export function textOf({ code, severity, key, field }: Diagnostic): string {
  return `${code} ${severity} ${key.kind} ${key.namespace === "" ? key.name : `${key.namespace}/${key.name}`} ${field}`;
}
