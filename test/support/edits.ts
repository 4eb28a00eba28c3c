import fc from "fast-check";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { applyChange, type Inventory } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { admitDocuments, type CaseObject } from "./case-input.ts";

/** Edits of objects as a user, or a fault, may make them. */

type Path = readonly (string | number)[];
type Parent = Record<string | number, unknown> | unknown[];

/** One edit before it is known of which object: `object` and `place` fall on one of those there are. */
export interface Edit {
  readonly object: number;
  readonly place: number;
  readonly deed: Deed;
}

interface Deed {
  readonly name: string;
  /** Of one field; absent: the whole object goes, or comes back as it was. */
  readonly change?: (parent: Parent, key: string | number) => void;
}

const drop: Deed = {
  name: "drop",
  change: (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
};

const duplicate: Deed = {
  name: "duplicate",
  change: (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(parent[Number(key)]));
    else parent[`${key}2`] = structuredClone(parent[key]);
  },
};

/** Another value of the same sort: what is garbled so is mostly still an object. */
const alter: Deed = {
  name: "alter",
  change: (parent, key) => {
    const at = parent as Record<string | number, unknown>;
    at[key] = altered(at[key]);
  },
};

function altered(value: unknown): unknown {
  if (typeof value === "string") return /^\d+\.\d+\.\d+\.\d+$/.test(value) ? "10.99.99.99" : `${value}x`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return Array.isArray(value) ? [] : {};
}

function replaceBy(value: unknown): Deed {
  return {
    name: `replace by ${JSON.stringify(value)}`,
    change: (parent, key) => {
      (parent as Record<string | number, unknown>)[key] = value;
    },
  };
}

const garbage = fc.constantFrom<unknown>(null, true, -1, 0, 1, "", "*", "a b", "web", "shop", "80", 80, [], {}, [null], "a".repeat(300), "10.1.0.5");

export const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(drop, duplicate, alter, alter) },
  { weight: 3, arbitrary: garbage.map(replaceBy) },
  { weight: 1, arbitrary: fc.constantFrom<Deed>({ name: "remove" }, { name: "restore" }) },
);

export const anyEdit: fc.Arbitrary<Edit> = fc.record({ object: fc.nat(), place: fc.nat(), deed: anyDeed });

/** A plain value with one field dropped, duplicated or garbled. */
export function garbled(value: unknown, { place, deed }: Pick<Edit, "place" | "deed">): unknown {
  const places = pathsOf(value).slice(1);
  const path = places[place % places.length];
  return path === undefined || deed.change === undefined ? value : edited(value, path, deed.change);
}

/** What an edit made of an inventory. */
export interface Edited {
  readonly inventory: Inventory;
  /** Keys of the objects that it touched, as text. */
  readonly touched: ReadonlySet<string>;
  /** For the message of a test that fails. */
  readonly what: string;
}

/** Does an edit to an object of a case, whatever was done to it before. An object that is refused keeps its last good form. */
export function perform(inventory: Inventory, objects: readonly CaseObject[], { object, place, deed }: Edit): Edited {
  const one = objects[object % objects.length] as CaseObject;
  const id = formatObjectKey(one.object.key);
  if (deed.change === undefined) {
    const change = deed.name === "remove" ? { type: "delete" as const, key: one.object.key } : { type: "upsert" as const, object: one.object };
    return { inventory: applyChange(inventory, change), touched: new Set([id]), what: `${deed.name} ${id}` };
  }
  const places = pathsOf(one.document.value).slice(1);
  const path = places[place % places.length] as Path;
  return { ...replaceObject(inventory, one, edited(one.document.value, path, deed.change)), what: `${deed.name} ${path.join(".")} of ${id}` };
}

/** The inventory with an object as it is in another form; if that form has another key, or none, the object is gone. */
function replaceObject(inventory: Inventory, { cluster, document, object }: CaseObject, value: unknown): Omit<Edited, "what"> {
  const id = formatObjectKey(object.key);
  const { objects, refused } = admitDocuments([{ ...document, value }], cluster);
  const stays = [...objects.map(({ key }) => key), ...refused].some((key) => formatObjectKey(key) === id);
  let result = stays ? inventory : applyChange(inventory, { type: "delete", key: object.key });
  for (const next of objects) result = applyChange(result, { type: "upsert", object: agedAs(next, object) });
  return { inventory: result, touched: new Set([id, ...objects.map(({ key }) => formatObjectKey(key))]) };
}

/** Ages that come from an object's place are given, not counted again; an edited timestamp counts. */
function agedAs(next: SourceObject, before: SourceObject): SourceObject {
  return next.created === FIRST_AGE ? { ...next, created: before.created } : next;
}

/** Of the first Istio object that has no timestamp (core/sources/admit.ts). */
const FIRST_AGE = Date.UTC(2026, 0, 1);

/** Places of all values within a document, the document itself first. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [at, ...below.flatMap(([key, item]) => pathsOf(item, [...at, key]))];
}

function edited(value: unknown, path: Path, change: NonNullable<Deed["change"]>): unknown {
  const copy: unknown = structuredClone(value);
  const parent = path.slice(0, -1).reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], copy);
  change(parent as Parent, path.at(-1) as string | number);
  return copy;
}
