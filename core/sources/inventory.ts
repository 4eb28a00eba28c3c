import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { KINDS } from "./decode/catalog.ts";
import type { Kind } from "./kinds.ts";
import type { SourceObject } from "./object.ts";

/** Everything that all sources hold, in good form. Persistent: a change copies one kind's shelf and shares the rest. */
export interface Inventory {
  /** Cluster whose Istio and Gateway API objects count, and which comes first. */
  readonly configCluster: string;
  readonly shelves: { readonly [K in Kind]?: readonly SourceObject<K>[] };
  /** By `cluster/kind`: up to which revision that kind was last listed completely. */
  readonly listed: ReadonlyMap<string, string>;
}

/** What a source reports. Objects are valid; keys under `refused` name objects whose present form is not, and which keep their last good one. */
export type Change =
  | { readonly type: "upsert"; readonly object: SourceObject }
  | { readonly type: "delete"; readonly key: ObjectKey & { readonly kind: Kind } }
  | Listing;

/** A source's full list of one kind, as of a revision. */
export interface Listing {
  readonly type: "replace";
  readonly cluster: string;
  readonly kind: Kind;
  readonly revision: string;
  readonly objects: readonly SourceObject[];
  readonly refused: readonly ObjectKey[];
}

export function emptyInventory(configCluster = "Kubernetes"): Inventory {
  return { configCluster, shelves: {}, listed: new Map() };
}

/** The inventory after a change; the same one if nothing changed. */
export function applyChange(inventory: Inventory, change: Change): Inventory {
  if (change.type === "replace") return replace(inventory, change);
  const key = change.type === "upsert" ? change.object.key : change.key;
  const shelf = objectsOf(inventory, key.kind);
  const { index, found } = search(shelf, key, inventory.configCluster);
  if (change.type === "delete") return found ? withShelf(inventory, key.kind, shelf.toSpliced(index, 1)) : inventory;
  if (found && shelf[index] === change.object) return inventory;
  return withShelf(inventory, key.kind, shelf.toSpliced(index, found ? 1 : 0, change.object));
}

/** Objects of a kind by cluster (the config cluster first), namespace and name. The same array as long as none of the kind changed. */
export function objectsOf<K extends Kind>(inventory: Inventory, kind: K): readonly SourceObject<K>[] {
  return (inventory.shelves[kind] as readonly SourceObject<K>[] | undefined) ?? NONE;
}

/** One object; undefined if there is none. */
export function findObject<K extends Kind>(inventory: Inventory, key: ObjectKey & { readonly kind: K }): SourceObject<K> | undefined {
  const shelf = objectsOf(inventory, key.kind);
  const { index, found } = search(shelf, key, inventory.configCluster);
  return found ? shelf[index] : undefined;
}

const NONE: readonly never[] = [];

function replace(inventory: Inventory, change: Listing): Inventory {
  const { kind, cluster } = change;
  const before = objectsOf(inventory, kind);
  const good = new Map(before.filter((one) => one.key.cluster === cluster).map((one) => [place(one.key), one]));
  const kept = change.refused.flatMap((key) => good.get(place(key)) ?? []);
  const rest = before.filter((one) => one.key.cluster !== cluster);
  const order = compareKeys(inventory.configCluster);
  const after = [...rest, ...(change.objects as SourceObject<typeof kind>[]), ...kept].sort((a, b) => order(a.key, b.key));
  const same = after.length === before.length && after.every((one, index) => one === before[index]);
  const listed = new Map(inventory.listed).set(`${cluster}/${kind}`, change.revision);
  return { ...(same ? inventory : withShelf(inventory, kind, after)), listed };
}

function place(key: ObjectKey): string {
  return `${key.namespace}/${key.name}`;
}

function withShelf<K extends Kind>(inventory: Inventory, kind: K, shelf: readonly SourceObject<K>[]): Inventory {
  return { ...inventory, shelves: { ...inventory.shelves, [kind]: shelf } };
}

function search(shelf: readonly SourceObject[], key: ObjectKey, configCluster: string): { readonly index: number; readonly found: boolean } {
  const order = compareKeys(configCluster);
  let low = 0;
  let high = shelf.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = shelf[middle];
    const side = one === undefined ? 0 : order(one.key, key);
    if (side === 0) return { index: middle, found: true };
    if (side < 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, found: false };
}

function compareKeys(configCluster: string): (a: ObjectKey, b: ObjectKey) => number {
  const rank = (cluster: string): number => (cluster === configCluster ? 0 : 1);
  return (a, b) =>
    rank(a.cluster) - rank(b.cluster) || compareText(a.cluster, b.cluster) || compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

/** Puts a source's whole content into an inventory: one full list for each kind. */
export function replaceAll(
  inventory: Inventory,
  cluster: string,
  content: { readonly objects: readonly SourceObject[]; readonly refused: readonly ObjectKey[] },
): Inventory {
  const objects = groupBy(content.objects, (one) => one.key.kind);
  const refused = groupBy(content.refused, (key) => key.kind);
  let result = inventory;
  for (const kind of KINDS) {
    const listing: Listing = { type: "replace", cluster, kind, revision: "", objects: objects.get(kind) ?? [], refused: refused.get(kind) ?? [] };
    result = applyChange(result, listing);
  }
  return result;
}
