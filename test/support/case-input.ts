import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Dialect } from "#core/node/facts.ts";
import { readNodeMessage } from "#core/node/message.ts";
import type { CensusNode } from "#core/pipeline/census.ts";
import { admit, type SourceDocument } from "#core/sources/admit.ts";
import { emptyInventory, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { apiRegistry } from "#functions/io/api.ts";
import { readFolder } from "#functions/io/folder.ts";
import { CASES } from "#test/oracle/cases.ts";
import { readOracleCase } from "./oracle-case.ts";

/** An object of a case, as it was read and as it was admitted. */
export interface CaseObject {
  readonly cluster: string;
  readonly document: SourceDocument;
  readonly object: SourceObject;
}

/** A case of the oracle as properties take it: what is admitted, and the nodes that it is compiled for. */
export interface CaseInput {
  readonly name: string;
  readonly options: ResolveOptions;
  readonly census: readonly CensusNode[];
  /** In the order of sorted paths and documents; ages are given. */
  readonly objects: readonly CaseObject[];
  readonly inventory: Inventory;
  readonly diagnostics: readonly Diagnostic[];
}

export const CONFIG_CLUSTER = "Kubernetes";

/** Reads a case for properties over its objects; `dialect`: in which its nodes are answered. */
export function readCaseInput(name: string, dialect: Dialect = "istio-proxy"): CaseInput {
  const folder = join(CASES, name);
  const { meshConfig, networks, nodes } = readOracleCase(folder);
  const options: ResolveOptions = {
    ...(meshConfig !== undefined && { meshConfig }),
    ...(networks !== undefined && { networks }),
    domainSuffix: "cluster.local",
    configCluster: CONFIG_CLUSTER,
  };
  const census = nodes.map(({ node }): CensusNode => {
    const message = readNodeMessage(node);
    if ("error" in message) throw new Error(`${name}: ${message.error}`);
    return { node: message, dialect };
  });
  let inventory = emptyInventory(CONFIG_CLUSTER);
  const objects: CaseObject[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [cluster, path] of clustersOf(folder)) {
    const { documents } = readFolder([path], cluster);
    const admitted = admitDocuments(documents, cluster);
    inventory = replaceAll(inventory, cluster, admitted);
    diagnostics.push(...admitted.diagnostics);
    const byOrigin = new Map(documents.map((document) => [originOf(document), document]));
    for (const object of admitted.objects) {
      const document = byOrigin.get(originOf(object));
      if (document !== undefined) objects.push({ cluster, document, object });
    }
  }
  return { name, options, census, objects, inventory, diagnostics };
}

/** The object as if it was read for the first time, with the age that it has. */
export function admitAgain({ cluster, document, object }: CaseObject): SourceObject {
  const { objects } = admitDocuments([structuredClone(document)], cluster);
  const id = formatObjectKey(object.key);
  const again = objects.find(({ key }) => formatObjectKey(key) === id);
  if (again === undefined) throw new Error(`${id} is not admitted alone`);
  return { ...again, created: object.created };
}

export function admitDocuments(documents: readonly SourceDocument[], cluster: string): ReturnType<typeof admit> {
  return admit(documents, { cluster, types: apiRegistry, istio: cluster === CONFIG_CLUSTER });
}

function clustersOf(folder: string): ReadonlyMap<string, string> {
  const clusters = new Map([[CONFIG_CLUSTER, join(folder, "input")]]);
  const others = join(folder, "clusters");
  if (existsSync(others)) for (const id of readdirSync(others)) clusters.set(id, join(others, id));
  return clusters;
}

function originOf({ origin }: Pick<SourceDocument, "origin">): string {
  return `${origin?.file}:${origin?.line}`;
}
