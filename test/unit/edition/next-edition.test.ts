import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diffLayers, diffTrees } from "#core/edition/diff.ts";
import { documentList } from "#core/edition/document-list.ts";
import { edition, layer, resource } from "./sample.ts";

const LAYER = layer([resource("clusters", "a"), resource("clusters", "b")]);
const OTHER = layer([resource("listeners", "a")]);

describe("next edition", () => {
  test("is the same one when its contents are", () => {
    const first = edition({ a: LAYER });
    const again = layer([resource("clusters", "a"), resource("clusters", "b")]);
    assert.equal(edition({ a: again }, first), first);
  });

  test("counts generations and names its parent", () => {
    const first = edition({ a: LAYER });
    const second = edition({ a: OTHER }, first);
    assert.deepEqual([first.generation, first.parent, second.generation, second.parent], [1, undefined, 2, first.id]);
  });

  test("drops layers that are not given again", () => {
    const second = edition({ b: OTHER }, edition({ a: LAYER, b: OTHER }));
    assert.deepEqual(diffLayers(edition({ b: OTHER }), second), []);
  });

  test("tells a few of many causes, sorted", () => {
    const cause = Array.from({ length: 100 }, (_, index) => ({ cluster: "c", kind: "Pod", namespace: "n", name: `p${100 + index}` })).reverse();
    const made = edition({ a: LAYER }, undefined, { cause });
    assert.equal(made.cause.total, 100);
    assert.equal(made.cause.keys[0], "c/Pod/n/p100");
    assert.ok(made.cause.keys.length < 20);
  });
});

describe("difference of editions", () => {
  test("is found layer by layer and resource by resource", () => {
    const before = edition({ a: LAYER, b: OTHER });
    const after = edition({ a: layer([resource("clusters", "a", "new"), resource("clusters", "c")], LAYER), b: OTHER }, before);
    const changes = diffLayers(before, after);
    assert.deepEqual(
      changes.map(({ name }) => name),
      ["a"],
    );
    assert.deepEqual(changes[0]?.resources.map(({ name }) => name).sort(), ["clusters/a", "clusters/b", "clusters/c"]);
  });

  test("of documents is by digest", () => {
    const form = { nameOf: (value: { name: string; port: number }) => value.name };
    const before = documentList(form, [
      { name: "a", port: 1 },
      { name: "b", port: 2 },
    ]);
    const after = documentList(form, [
      { name: "a", port: 1 },
      { name: "b", port: 3 },
    ]);
    assert.deepEqual(
      diffTrees(before, after).map(({ name, after }) => [name, after?.value?.port]),
      [["b", 3]],
    );
  });
});
