import fc from "fast-check";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { isKind } from "#core/sources/decode/catalog.ts";
import { applyChange, type Inventory } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { admitDocuments, type CaseDocument, type CaseInput } from "./case-input.ts";

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
  /** Of one field, `others` being values from anywhere in the case; absent: the whole object goes, comes back as it was, or comes again under another name. */
  readonly change?: (parent: Parent, key: string | number, others: readonly unknown[]) => void;
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

/** What another field of the case says: it may well mean something here too. */
function graft(which: number): Deed {
  return {
    name: "graft",
    change: (parent, key, others) => {
      const at = parent as Record<string | number, unknown>;
      const fitting = others.filter((value) => typeof value === typeof at[key]);
      at[key] = fitting.length === 0 ? altered(at[key]) : fitting[which % fitting.length];
    },
  };
}

const garbage = fc.constantFrom<unknown>(null, true, -1, 0, 1, "", "*", "a b", "web", "shop", "80", 80, [], {}, [null], "a".repeat(300), "10.1.0.5");

export const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(drop, duplicate, alter, alter) },
  { weight: 3, arbitrary: garbage.map(replaceBy) },
  { weight: 2, arbitrary: fc.nat().map(graft) },
  { weight: 1, arbitrary: fc.constantFrom<Deed>({ name: "remove" }, { name: "restore" }, { name: "copy" }) },
);

export const anyEdit: fc.Arbitrary<Edit> = fc.record({ object: fc.nat(), place: fc.nat(), deed: anyDeed });

/** How many fields and items a plain value has, at any depth. */
export function placesIn(value: unknown): number {
  return pathsOf(value).length - 1;
}

/** A plain value with one field dropped, duplicated or garbled. */
export function garbled(value: unknown, { place, deed }: Pick<Edit, "place" | "deed">): unknown {
  const places = pathsOf(value).slice(1);
  const path = places[place % places.length];
  return path === undefined || deed.change === undefined ? value : edited(value, path, { change: deed.change, others: scalarsOf(value) });
}

/** What an edit made of an inventory. */
export interface Edited {
  readonly inventory: Inventory;
  /** Keys of the objects that it touched, as text. */
  readonly touched: ReadonlySet<string>;
  /** What admission has to say of the document as it is now. */
  readonly diagnostics: readonly Diagnostic[];
  /** Keys of what it refused, as text. */
  readonly refused: readonly string[];
  /** For the message of a test that fails. */
  readonly what: string;
}

/** Does an edit to an object of a case, whatever was done to it before. An object that is refused keeps its last good form. */
export function perform(inventory: Inventory, { documents }: Pick<CaseInput, "documents">, { object, place, deed }: Edit): Edited {
  const one = documents[object % documents.length] as CaseDocument;
  const id = formatObjectKey(one.key);
  if (deed.change === undefined) return { ...performWhole(inventory, one, deed), what: `${deed.name} ${id}` };
  const places = pathsOf(one.document.value).slice(1);
  const path = places[place % places.length] as Path;
  const value = edited(one.document.value, path, { change: deed.change, others: othersIn(documents) });
  const what = `${deed.name} ${path.join(".")} of ${id}, now ${JSON.stringify(valueAt(value, path))?.slice(0, 80)}`;
  return { ...replaceObject(inventory, one, value), what };
}

function performWhole(inventory: Inventory, { cluster, key, document, object }: CaseDocument, { name }: Deed): Omit<Edited, "what"> {
  const touched = new Set([formatObjectKey(key)]);
  const nothingSaid = { touched, diagnostics: [], refused: [] };
  if (name === "remove") return { ...nothingSaid, inventory: remove(inventory, key) };
  if (object === undefined) return { ...nothingSaid, inventory };
  if (name === "restore") return { ...nothingSaid, inventory: applyChange(inventory, { type: "upsert", object }) };
  if (typeof valueAt(document.value, ["metadata", "name"]) !== "string") return { ...nothingSaid, inventory };
  return enter(inventory, { cluster, document, object }, edited(document.value, ["metadata", "name"], { change: alter.change, others: [] }));
}

function remove(inventory: Inventory, key: CaseDocument["key"]): Inventory {
  return isKind(key.kind) ? applyChange(inventory, { type: "delete", key: { ...key, kind: key.kind } }) : inventory;
}

/** The inventory with an object as it is in another form; if that form has another key, or none, the object is gone. */
function replaceObject(inventory: Inventory, one: CaseDocument, value: unknown): Omit<Edited, "what"> {
  const id = formatObjectKey(one.key);
  const { objects, refused } = admitDocuments([{ ...one.document, value }], one.cluster);
  const stays = [...objects.map(({ key }) => key), ...refused].some((key) => formatObjectKey(key) === id);
  const result = enter(stays ? inventory : remove(inventory, one.key), one, value);
  return { ...result, touched: new Set([id, ...result.touched]) };
}

function enter(inventory: Inventory, one: Omit<CaseDocument, "key">, value: unknown): Omit<Edited, "what"> {
  const { objects, refused, diagnostics } = admitDocuments([{ ...one.document, value }], one.cluster);
  let result = inventory;
  for (const next of objects) result = applyChange(result, { type: "upsert", object: agedAs(next, one.object) });
  const touched = new Set(objects.map(({ key }) => formatObjectKey(key)));
  return { inventory: result, touched, diagnostics, refused: refused.map(formatObjectKey) };
}

/** Ages that come from an object's place are given, not counted again; an edited timestamp counts. */
function agedAs(next: SourceObject, before: SourceObject | undefined): SourceObject {
  return next.created === FIRST_AGE && before !== undefined ? { ...next, created: before.created } : next;
}

/** Of the first Istio object that has no timestamp (core/sources/admit.ts). */
const FIRST_AGE = Date.UTC(2026, 0, 1);

/** Places of all values within a document, the document itself first. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [at, ...below.flatMap(([key, item]) => pathsOf(item, [...at, key]))];
}

function edited(value: unknown, path: Path, { change, others }: { change: Deed["change"]; others: readonly unknown[] }): unknown {
  const copy: unknown = structuredClone(value);
  change?.(valueAt(copy, path.slice(0, -1)) as Parent, path.at(-1) as string | number, others);
  return copy;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown> | undefined)?.[key], value);
}

/** All strings, numbers and flags of a case's documents, each once. */
const othersIn = memoize((documents: readonly CaseDocument[]): readonly unknown[] => [
  ...new Set(documents.flatMap(({ document }) => scalarsOf(document.value))),
]);

function scalarsOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsOf) : [value];
}
