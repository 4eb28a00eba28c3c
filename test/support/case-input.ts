import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Dialect } from "#core/node/facts.ts";
import { readNodeMessage } from "#core/node/message.ts";
import type { CensusNode } from "#core/pipeline/census.ts";
import { admit, type SourceDocument } from "#core/sources/admit.ts";
import { expandList } from "#core/sources/decode.ts";
import { emptyInventory, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { apiRegistry } from "#functions/io/api.ts";
import { readFolder } from "#functions/io/folder.ts";
import { CASES } from "#test/oracle/cases.ts";
import { readOracleCase } from "./oracle-case.ts";

/** An object of a case as it was read; and as it was admitted, unless it was refused. */
export interface CaseDocument {
  readonly cluster: string;
  readonly document: SourceDocument;
  readonly key: ObjectKey;
  readonly object?: SourceObject;
}

/** An object of a case that was admitted. */
export interface CaseObject extends CaseDocument {
  readonly object: SourceObject;
}

/** A case of the oracle as properties take it: what is admitted, and the nodes that it is compiled for. */
export interface CaseInput {
  readonly name: string;
  readonly options: ResolveOptions;
  readonly census: readonly CensusNode[];
  /** In the order of sorted paths and documents; ages are given. */
  readonly objects: readonly CaseObject[];
  /** The same, and what was refused. */
  readonly documents: readonly CaseDocument[];
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
  const refused: CaseDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [cluster, path] of clustersOf(folder)) {
    const documents = readFolder([path], cluster).documents.flatMap(itemsOf);
    const admitted = admitDocuments(documents, cluster);
    inventory = replaceAll(inventory, cluster, admitted);
    diagnostics.push(...admitted.diagnostics);
    const byKey = new Map(admitted.objects.map((object) => [formatObjectKey(object.key), object]));
    for (const document of documents) {
      const alone = admitDocuments([document], cluster);
      for (const key of alone.refused) refused.push({ cluster, document, key });
      for (const { key } of alone.objects) {
        const object = byKey.get(formatObjectKey(key));
        if (object !== undefined) objects.push({ cluster, document, key, object });
        byKey.delete(formatObjectKey(key));
      }
    }
  }
  return { name, options, census, objects, documents: [...objects, ...refused], inventory, diagnostics };
}

/** A document as if it was read for the first time, with a timestamp where its age came from its place among others. */
export function dated({ document, object }: CaseDocument): SourceDocument {
  const copy = structuredClone(document);
  const { metadata } = copy.value as { metadata?: Record<string, unknown> };
  if (metadata !== undefined && object !== undefined && object.created !== 0) metadata.creationTimestamp ??= new Date(object.created).toISOString();
  return copy;
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

/** The objects of a `List` as documents of their own. */
function itemsOf(document: SourceDocument): readonly SourceDocument[] {
  return expandList(document.value).map((value) => (value === document.value ? document : { ...document, value }));
}
