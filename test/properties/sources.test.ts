import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { admit, type SourceDocument } from "#core/sources/admit.ts";
import { KINDS } from "#core/sources/decode/catalog.ts";
import { objectDigest } from "#core/sources/form.ts";
import { applyChange, emptyInventory, type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { apiRegistry } from "#functions/io/api.ts";
import { readFolder } from "#functions/io/folder.ts";
import { CASES, caseNames } from "#test/oracle/cases.ts";

const MORE = join(import.meta.dirname, "../oracle/validation");
const folders = [
  ...caseNames().map((name) => join(CASES, name, "input")),
  ...["destinations", "extensions", "security"].map((name) => join(MORE, name, "input")),
];
const documents = readFolder(folders, "Kubernetes").documents;

type Path = readonly (string | number)[];

/** Places of all values within a document. */
function paths(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [at, ...below.flatMap(([key, item]) => paths(item, [...at, key]))];
}

type Edit = (parent: Record<string, unknown> | unknown[], key: string | number) => void;

function edited(value: unknown, path: Path, edit: Edit): unknown {
  const copy: unknown = structuredClone(value);
  const parent = path.slice(0, -1).reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], copy);
  const key = path.at(-1);
  if (key !== undefined) edit(parent as Record<string, unknown>, key);
  return copy;
}

const drop: Edit = (parent, key) => {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
};
const duplicate: Edit = (parent, key) => {
  if (Array.isArray(parent)) parent.splice(Number(key), 0, parent[Number(key)]);
  else parent[`${key}2`] = parent[key];
};
function replaceBy(value: unknown): Edit {
  return (parent, key) => {
    (parent as Record<string | number, unknown>)[key] = value;
  };
}

const garbage = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e300,
    Number.NaN,
    2 ** 53,
    "",
    "*",
    "a b",
    "%",
    "(",
    "\\",
    "-",
    "/",
    "..",
    "~",
    "a".repeat(2000),
    [],
    {},
    [null],
    { __proto__: null },
    [[]],
  ),
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
);

test("whatever is done to any field of any object, reading and judging it never throws, and a Diagnostic names what is left out", () => {
  const types = apiRegistry;
  const edit = fc.oneof(fc.constantFrom(drop, duplicate), garbage.map(replaceBy));
  const property = fc.property(fc.nat(), fc.nat(), edit, (which, where, change) => {
    const document = documents[which % documents.length] as SourceDocument;
    const places = paths(document.value);
    const value = edited(document.value, places[where % places.length] as Path, change);
    const { objects, diagnostics, refused } = admit([{ value, origin: { file: "f", line: 1 } }], { cluster: "c", types });
    for (const object of objects) objectDigest(object);
    for (const key of refused) assert.ok(diagnostics.some((one) => one.refused && one.key === key));
    for (const one of diagnostics) assert.ok(one.message !== "" && one.file === "f");
  });
  fc.assert(property, { numRuns: 4000 });
});

test("any order of objects, and of changes, ends in the same inventory", () => {
  for (const name of caseNames(["discovery/", "routing/http-match"])) {
    const { objects } = admit(readFolder([join(CASES, name, "input")], "Kubernetes").documents, { cluster: "Kubernetes" });
    const whole = contentOf(fill(objects));
    const property = fc.property(fc.shuffledSubarray([...objects], { minLength: objects.length }), fc.subarray([...objects]), (shuffled, touched) => {
      assert.deepEqual(contentOf(fill(shuffled)), whole);
      const deleted = touched.reduce((inventory, { key }) => applyChange(inventory, { type: "delete", key }), fill(objects));
      assert.deepEqual(contentOf(fill(touched, deleted)), whole);
    });
    fc.assert(property, { numRuns: 5 });
  }
});

function fill(objects: readonly SourceObject[], start: Inventory = emptyInventory()): Inventory {
  return objects.reduce((inventory, object) => applyChange(inventory, { type: "upsert", object }), start);
}

function contentOf(inventory: Inventory): readonly string[] {
  return KINDS.flatMap((kind) => objectsOf(inventory, kind).map(objectDigest));
}
