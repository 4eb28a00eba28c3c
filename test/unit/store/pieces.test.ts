import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { openEdition } from "#core/store/load.ts";
import { MAX_PACKS } from "#core/store/merge-plan.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { edition, layer, resource } from "../edition/sample.ts";
import { contextOf, loaded, published } from "./sample.ts";

const COUNT = 40;
const NEEDS = { ...NO_NEEDS, clusters: ["a", "b"] };

/** 2 KB that don't compress. */
function part(seed: number): Uint8Array {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return Uint8Array.from({ length: 2048 }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 24;
  });
}
const PARTS = Array.from({ length: COUNT }, (_, seed) => part(seed));

function table(parts: readonly Uint8Array[]): Resource {
  return makeResource("routes", "80", parts, NEEDS, []);
}

describe("a resource in pieces", () => {
  test("is served whole by whoever made it and by whoever loads it", async () => {
    const context = contextOf(memoryStore());
    const made = table(PARTS);
    const writer = await published(context, undefined, edition({ a: layer([made, resource("clusters", "x")]) }));
    for (const { loaded: head } of [writer, await loaded(context)]) {
      const entry = head.view(["a"]).get("routes", "80");
      assert.deepEqual([entry?.digest, entry?.needs], [made.digest, NEEDS]);
      assert.deepEqual(head.blobs.bytes(made.digest), made.bytes);
    }
  });

  test("costs a change one piece", async () => {
    const context = contextOf(memoryStore());
    const before = layer([table(PARTS)]);
    const first = await published(context, undefined, edition({ a: before }));
    const second = await published(context, first, edition({ a: layer([table(PARTS.with(7, part(99)))], before) }, first.edition));
    const [whole = 0, change = 0] = second.root.packs.map(({ size }) => size);
    assert.ok(whole > COUNT * 2048 && change < 2048 + COUNT * 20 + 1500, `${whole} bytes, then ${change}`);
  });

  test("is complete after packs were merged, for a writer that loaded it too, and so is each edition before", async () => {
    const context = contextOf(memoryStore());
    let current = table(PARTS);
    let head = await published(context, undefined, edition({ a: layer([current]) }));
    const tables = new Map<string, Resource>();
    for (let turn = 0; turn < 3 * MAX_PACKS; turn++) {
      const before = head.loaded.layer("a") ?? layer([]);
      const changes = turn % 2 === 0;
      if (changes) current = table((current.parts ?? []).with(turn % COUNT, part(100 + turn)));
      const layers = changes ? { a: layer([current], before) } : { a: before, b: layer([resource("clusters", `${turn}`)]) };
      const written = await published(context, head, edition(layers, head.edition));
      tables.set(written.root.packs.at(-1)?.name ?? "", current);
      head = await loaded(context);
    }
    for (const [pack, expected] of tables) {
      const opened = await openEdition(context, pack);
      assert.equal(opened?.view(["a"]).get("routes", "80")?.digest, expected.digest);
      assert.deepEqual(opened?.blobs.bytes(expected.digest), expected.bytes);
    }
  });
});
