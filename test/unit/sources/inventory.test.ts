import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { admit } from "#core/sources/admit.ts";
import { objectDigest } from "#core/sources/form.ts";
import { applyChange, emptyInventory, findObject, hasObject, type Inventory, objectsOf, replaceAll } from "#core/sources/inventory.ts";
import { changedObjects } from "#core/sources/inventory-diff.ts";
import type { SourceObject } from "#core/sources/object.ts";

function service(
  name: string,
  port = 80,
  options: { readonly cluster?: string; readonly namespace?: string; readonly line?: number } = {},
): SourceObject<"Service"> {
  const { cluster = "Kubernetes", namespace = "shop", line = 1 } = options;
  const value = { apiVersion: "v1", kind: "Service", metadata: { name, namespace }, spec: { ports: [{ port }] } };
  return admit([{ value, origin: { file: "a.yaml", line } }], { cluster }).objects[0] as SourceObject<"Service">;
}

function inventoryOf(...objects: readonly SourceObject[]): Inventory {
  return objects.reduce((inventory, object) => applyChange(inventory, { type: "upsert", object }), emptyInventory());
}

function names(inventory: Inventory): string {
  return objectsOf(inventory, "Service")
    .map(({ key }) => `${key.cluster}/${key.namespace}/${key.name}`)
    .join(" ");
}

const list = { type: "replace", cluster: "Kubernetes", kind: "Service", revision: "7", refused: [] as readonly ObjectKey[] } as const;

test("objects are sorted by cluster, the config cluster first, namespace and name, whatever the order of changes", () => {
  const objects = [
    service("b"),
    service("a"),
    service("a", 80, { namespace: "aa" }),
    service("a", 80, { cluster: "A" }),
    service("a", 80, { cluster: "far" }),
  ];
  const sorted = "Kubernetes/aa/a Kubernetes/shop/a Kubernetes/shop/b A/shop/a far/shop/a";
  assert.equal(names(inventoryOf(...objects)), sorted);
  assert.equal(names(inventoryOf(...objects.toReversed())), sorted);
});

test("a change leaves the inventory before it alone, and shares what it does not touch", () => {
  const before = inventoryOf(service("a"));
  const after = applyChange(before, { type: "upsert", object: service("b") });
  assert.equal(names(before), "Kubernetes/shop/a");
  assert.equal(objectsOf(after, "Service")[0], objectsOf(before, "Service")[0]);
  assert.equal(objectsOf(after, "Pod"), objectsOf(before, "Pod"));
});

test("what changes nothing gives the same inventory, also where an equal object was read again", () => {
  const inventory = inventoryOf(service("a"));
  assert.equal(applyChange(inventory, { type: "upsert", object: service("a") }), inventory);
  assert.equal(applyChange(inventory, { type: "delete", key: service("z").key }), inventory);
  const listed = applyChange(inventory, { ...list, objects: [service("a")] });
  assert.equal(listed.shelves, inventory.shelves);
  assert.equal(applyChange(listed, { ...list, objects: [service("a")] }), listed);
});

test("a full list wins over what came before, for its cluster and kind alone", () => {
  const before = inventoryOf(service("a"), service("b"), service("a", 80, { cluster: "far" }));
  const after = applyChange(before, { ...list, objects: [service("c")] });
  assert.equal(names(after), "Kubernetes/shop/c far/shop/a");
  assert.deepEqual([...after.listed], [["Kubernetes/Service", "7"]]);
});

test("an object that is there, but not in good form, keeps its last good one", () => {
  const good = service("a");
  const after = applyChange(inventoryOf(good, service("b")), { ...list, objects: [], refused: [good.key, service("new").key] });
  assert.deepEqual(objectsOf(after, "Service"), [good]);
  assert.equal(replaceAll(after, "Kubernetes", { objects: [], refused: [good.key] }).shelves.Service?.length, 1);
  assert.equal(replaceAll(after, "Kubernetes", { objects: [], refused: [] }).shelves.Service?.length, 0);
});

test("objects are found by key", () => {
  const inventory = inventoryOf(service("a"), service("b"));
  assert.equal(findObject(inventory, service("b").key)?.key.name, "b");
  assert.equal(hasObject(inventory, service("z").key), false);
  assert.equal(hasObject(inventory, { ...service("a").key, kind: "Nope" }), false);
});

test("a digest names an object wherever it was read", () => {
  assert.equal(objectDigest(service("a", 80, { line: 1 })), objectDigest(service("a", 80, { line: 2 })));
  assert.notEqual(objectDigest(service("a", 80)), objectDigest(service("a", 81)));
});

test("two inventories differ by the objects whose form does", () => {
  const before = inventoryOf(service("a"), service("b"), service("c"));
  const after = inventoryOf(service("a", 80, { line: 5 }), service("b", 81), service("d"));
  const changes = changedObjects(before, after).map(({ key, before: old, after: next }) => `${old ? "-" : ""}${next ? "+" : ""}${key.name}`);
  assert.deepEqual(changes.sort(), ["+d", "-+b", "-c"]);
  assert.deepEqual(changedObjects(before, before), []);
});
