import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ABSENT } from "#core/edition/entry.ts";
import { changeLayer, entryKey, layerEntry, makeLayer } from "#core/edition/layer.ts";
import { contentOf, lookUp } from "#core/lib/trie.ts";
import { layer, resource } from "./sample.ts";

const A = resource("clusters", "a");
const B = resource("clusters", "b");
const C = resource("endpoints", "a");

describe("layer", () => {
  test("holds resources by type and name", () => {
    const made = layer([A, B, C]);
    assert.equal(layerEntry(made, "clusters", "a"), A);
    assert.equal(layerEntry(made, "endpoints", "a"), C);
    assert.equal(layerEntry(made, "endpoints", "b"), undefined);
  });

  test("says of each resource what it was made from", () => {
    assert.deepEqual(lookUp(layer([A]).from, "clusters/a")?.value, ["c/Service/shop/a"]);
  });

  test("is the same after any history as made at once", () => {
    const grown = layer([A, C], layer([B], layer([A, B])));
    assert.equal(grown.digest, layer([A, C]).digest);
  });

  test("keeps its identity when equal resources are made again", () => {
    const before = layer([A, B]);
    assert.equal(layer([resource("clusters", "a"), B], before), before);
    assert.equal(layer([B, A], before), before);
  });

  test("hides what it is told to hide", () => {
    const hiding = makeLayer({ resources: [A], absent: [{ type: "listeners", name: "x" }] });
    assert.equal(layerEntry(hiding, "listeners", "x"), ABSENT);
    assert.equal(layerEntry(makeLayer({ resources: [A] }, hiding), "listeners", "x"), undefined);
    const shown = makeLayer({ resources: [A, resource("listeners", "x")] }, hiding);
    assert.equal(layerEntry(shown, "listeners", "x")?.digest, resource("listeners", "x").digest);
  });

  test("a change of one resource leaves the rest of the tree shared", () => {
    const many = Array.from({ length: 2000 }, (_, index) => resource("endpoints", `e${index}`));
    const before = layer(many);
    const after = layer(many.with(7, resource("endpoints", "e7", "changed")), before);
    const [old, next] = [contentOf(before.resources), contentOf(after.resources)];
    assert.ok(old.kind === "branch" && next.kind === "branch");
    assert.equal(next.children.filter((child, index) => child !== old.children[index]).length, 1);
  });

  test("can be changed name by name", () => {
    const changed = changeLayer(
      layer([A, B]),
      new Map([
        [entryKey("clusters", "b"), undefined],
        [entryKey("endpoints", "a"), C],
      ]),
    );
    assert.equal(changed.digest, layer([A, C]).digest);
    assert.equal(layer([A, B], changed).digest, layer([A, B]).digest);
  });
});
