import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Analysis, analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveMesh } from "#core/model/resolve/mesh.ts";
import { applyChange, type Inventory } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { inventoryOf, meshOf } from "./support.ts";

/** One mesh with a mistake of nearly every sort. */
const MISTAKES = readFileSync(fileURLToPath(new URL("mistakes.yaml", import.meta.url)), "utf8");

function everyObject(inventory: Inventory): readonly SourceObject[] {
  return Object.values(inventory.shelves).flat() as readonly SourceObject[];
}

function sorted({ diagnostics }: Analysis): readonly string[] {
  return diagnostics.map((one) => JSON.stringify(one)).sort();
}

describe("an analysis after a change", () => {
  const inventory = inventoryOf(MISTAKES);
  const mesh = meshOf(inventory);
  const analysis = analyzeMesh(mesh);
  const after = (changed: Inventory): readonly [ResolvedMesh, Analysis] => {
    const next = resolveMesh(changed, mesh.options, mesh);
    return [next, analyzeMesh(next, analysis)];
  };

  test("is the one that would be made anew, whatever object goes", () => {
    for (const { key } of everyObject(inventory)) {
      const [next, patched] = after(applyChange(inventory, { type: "delete", key: { ...key, kind: key.kind as Kind } }));
      assert.deepEqual(sorted(patched), sorted(analyzeMesh(next)), `${key.kind} ${key.name}`);
    }
  });

  test("is the one that would be made anew, whatever object changes its labels or annotations", () => {
    for (const object of everyObject(inventory)) {
      const changed = { ...object, labels: { app: "other" }, annotations: { "sidecar.istio.io/unheard-of": "x" } };
      const [next, patched] = after(applyChange(inventory, { type: "upsert", object: changed }));
      assert.deepEqual(sorted(patched), sorted(analyzeMesh(next)), `${object.key.kind} ${object.key.name}`);
    }
  });

  test("of endpoints is the same", () => {
    const slice = everyObject(inventory).find(({ key }) => key.kind === "EndpointSlice") as SourceObject<"EndpointSlice">;
    const [, patched] = after(applyChange(inventory, { type: "upsert", object: { ...slice, spec: { ...slice.spec, endpoints: [] } } }));
    assert.equal(patched, analysis);
  });

  test("of a Pod that takes another's place says the same, in the same words", () => {
    const pod = everyObject(inventory).find(({ key }) => key.name === "web-1") as SourceObject<"Pod">;
    const gone = applyChange(inventory, { type: "delete", key: pod.key });
    const [, patched] = after(applyChange(gone, { type: "upsert", object: { ...pod, key: { ...pod.key, name: "web-2" } } }));
    assert.equal(patched.workloads.workloads, analysis.workloads.workloads);
    assert.equal(patched.diagnostics, analysis.diagnostics);
  });
});

test("the order of objects makes no difference", () => {
  const documents = MISTAKES.split("\n---\n");
  const dated = documents.map((text, index) =>
    text.replace("metadata: {", `metadata: {creationTimestamp: "2026-01-01T00:00:${String(index).padStart(2, "0")}Z", `),
  );
  const there = analyzeMesh(meshOf(inventoryOf(dated.join("\n---\n"))));
  const back = analyzeMesh(meshOf(inventoryOf(dated.toReversed().join("\n---\n"))));
  assert.deepEqual(sorted(back), sorted(there));
});

test("every finding names a field, a severity and what to do", () => {
  for (const { code, field, message, check, refused } of analyzeMesh(meshOf(inventoryOf(MISTAKES))).diagnostics) {
    assert.match(code, /^(IST|ALM)\d{4}$/);
    assert.match(field, /^(spec|metadata|networks|status)\./);
    assert.ok(message.length > 20);
    assert.deepEqual([check, refused], ["analysis", false]);
  }
});
