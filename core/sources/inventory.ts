import { spliced } from "#core/lib/derived-list.ts";
import { equalLists } from "#core/lib/equality.ts";
import { groupBy } from "#core/lib/group.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Admitted } from "./admit.ts";
import { isKind, KINDS } from "./decode/catalog.ts";
import { sameForm } from "./form.ts";
import type { Kind } from "./kinds.ts";
import type { SourceObject } from "./object.ts";
import { compareKeys, place, type Shelf } from "./shelf.ts";

/** Everything that all sources hold, in good form. Persistent: a change copies one kind's shelf and shares the rest. */
export interface Inventory {
  /** Cluster whose Istio and Gateway API objects count, and which comes first. */
  readonly configCluster: string;
  readonly shelves: { readonly [K in Kind]?: Shelf<K> };
  /** By cluster and kind (`cluster/kind`): up to which revision that kind was last listed completely. */
  readonly listed: ReadonlyMap<string, string>;
}

/** What a source reports. Its objects are valid; where an object's new form is not, the source reports no upsert. */
export type Change =
  | { readonly type: "upsert"; readonly object: SourceObject }
  | { readonly type: "delete"; readonly key: ObjectKey & { readonly kind: Kind } }
  | Listing;

/** A source's full list of one kind. It wins over every hint that came before. */
export interface Listing {
  readonly type: "replace";
  readonly cluster: string;
  readonly kind: Kind;
  /** Of the list, "" where a source has none. */
  readonly revision: string;
  readonly objects: readonly SourceObject[];
  /** Objects that are there, but not in good form: their last good one stays. */
  readonly refused: readonly ObjectKey[];
}

/** What there is before any source said anything. */
export function emptyInventory(configCluster = "Kubernetes"): Inventory {
  return { configCluster, shelves: {}, listed: new Map() };
}

/** The inventory after a change; the same one if nothing changed. An object whose form did not change keeps its identity. */
export function applyChange(inventory: Inventory, change: Change): Inventory {
  switch (change.type) {
    case "upsert":
      return upsert(inventory, change.object);
    case "delete":
      return remove(inventory, change.key);
    case "replace":
      return replace(inventory, change);
  }
}

/** Puts a source's whole content into the inventory: one full list of each kind. */
export function replaceAll(inventory: Inventory, cluster: string, content: Pick<Admitted, "objects" | "refused">): Inventory {
  const objects = groupBy(content.objects, (one) => one.key.kind);
  const refused = groupBy(content.refused, (key) => key.kind);
  let result = inventory;
  for (const kind of KINDS) {
    result = replace(result, { type: "replace", cluster, kind, revision: "", objects: objects.get(kind) ?? [], refused: refused.get(kind) ?? [] });
  }
  return result;
}

/** Objects of a kind by cluster (the config cluster first), namespace and name. The same array as long as none of the kind changed. */
export function objectsOf<K extends Kind>(inventory: Inventory, kind: K): readonly SourceObject<K>[] {
  return shelfOf(inventory, kind);
}

/** One object; undefined if there is none. */
export function findObject<K extends Kind>(inventory: Inventory, key: ObjectKey & { readonly kind: K }): SourceObject<K> | undefined {
  const shelf = shelfOf(inventory, key.kind);
  const { index, found } = place(shelf, key, inventory.configCluster);
  return found ? shelf[index] : undefined;
}

/** Is there a good form of the object? Keys of unknown kinds have none. */
export function hasObject(inventory: Inventory, key: ObjectKey): boolean {
  return isKind(key.kind) && findObject(inventory, { ...key, kind: key.kind }) !== undefined;
}

const NONE: readonly never[] = [];

function shelfOf<K extends Kind>(inventory: Inventory, kind: K): Shelf<K> {
  return (inventory.shelves[kind] as Shelf<K> | undefined) ?? NONE;
}

function withShelf(inventory: Inventory, kind: Kind, shelf: readonly SourceObject[]): Inventory {
  return { ...inventory, shelves: { ...inventory.shelves, [kind]: shelf } };
}

function upsert(inventory: Inventory, object: SourceObject): Inventory {
  const shelf = shelfOf(inventory, object.key.kind);
  const { index, found } = place(shelf, object.key, inventory.configCluster);
  const before = found ? shelf[index] : undefined;
  if (before !== undefined && sameForm(before, object)) return inventory;
  return withShelf(inventory, object.key.kind, spliced<SourceObject>(shelf, index, found ? 1 : 0, object));
}

function remove(inventory: Inventory, key: ObjectKey & { readonly kind: Kind }): Inventory {
  const shelf = shelfOf(inventory, key.kind);
  const { index, found } = place(shelf, key, inventory.configCluster);
  return found ? withShelf(inventory, key.kind, spliced<SourceObject>(shelf, index, 1)) : inventory;
}

function replace(inventory: Inventory, { cluster, kind, revision, objects, refused }: Listing): Inventory {
  const before: readonly SourceObject[] = shelfOf(inventory, kind);
  const good = new Map(before.filter(({ key }) => key.cluster === cluster).map((one) => [nameOf(one.key), one]));
  const listed = objects.map((one) => {
    const known = good.get(nameOf(one.key));
    return known !== undefined && sameForm(known, one) ? known : one;
  });
  const kept = refused.flatMap((key) => good.get(nameOf(key)) ?? []);
  const others = before.filter(({ key }) => key.cluster !== cluster);
  const order = compareKeys(inventory.configCluster);
  const after = [...others, ...listed, ...kept].sort((a, b) => order(a.key, b.key));
  return noteListed(equalLists(before, after) ? inventory : withShelf(inventory, kind, after), `${cluster}/${kind}`, revision);
}

function noteListed(inventory: Inventory, source: string, revision: string): Inventory {
  if (inventory.listed.get(source) === revision) return inventory;
  return { ...inventory, listed: new Map(inventory.listed).set(source, revision) };
}

function nameOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
