import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeResource, NO_NEEDS } from "#core/edition/resource.ts";
import { lookUp } from "#core/lib/trie.ts";
import { openEdition } from "#core/store/load.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { storeOfFormatOne } from "#test/support/format-one.ts";
import { NO_RULES } from "#test/support/rules.ts";
import { edition, layer, resource } from "../edition/sample.ts";
import { contextOf, loaded, published } from "./sample.ts";

/** A route table as large as those that are in pieces today; an earlier release wrote it whole. */
const TABLE = Uint8Array.from({ length: 100_000 }, (_, index) => (index * index) >>> 7);
const CLUSTERS = ["outbound|80||a.shop.svc.cluster.local", "outbound|80||ä.shop.svc.cluster.local"];
const SERVICE = { name: "c/Service/shop/a", ports: [80] };
const OLD = storeOfFormatOne({
  layers: {
    a: [
      { type: "routes", name: "80", bytes: TABLE, clusters: CLUSTERS, from: ["c/Service/shop/a"] },
      { type: "clusters", name: "x", bytes: Uint8Array.of(1, 2, 3), clusters: [], from: [] },
    ],
  },
  rules: { rootNamespace: "root", sourceSelectors: [{ app: "a" }], "scopeReads/a": { vantage: [] } },
  inventory: { [SERVICE.name]: SERVICE },
});

async function oldStore(): Promise<ObjectStore> {
  const store = memoryStore();
  for (const [key, bytes] of OLD) await store.putIfAbsent(key, bytes);
  return store;
}

describe("a store that a release before pieces left", () => {
  test("is loaded: facts, rules, objects, resources with what they need, and what they were made from", async () => {
    const { edition: read, loaded: serving } = await loaded(contextOf(await oldStore()));
    assert.deepEqual([read.generation, read.builder, read.directory.size], [1, "an earlier release", 0]);
    assert.deepEqual([serving.rules.rootNamespace, serving.rules.sourceSelectors], ["root", [{ app: "a" }]]);
    assert.deepEqual(lookUp(read.inventory, SERVICE.name)?.value, SERVICE);
    const view = serving.view(["a"]);
    assert.deepEqual([view.names("routes"), view.names("clusters")], [["80"], ["x"]]);
    const table = view.get("routes", "80");
    assert.deepEqual(table?.needs, { ...NO_NEEDS, clusters: CLUSTERS });
    assert.deepEqual(serving.blobs.bytes(table?.digest ?? ""), TABLE);
    assert.deepEqual(serving.blobs.bytes(view.get("clusters", "x")?.digest ?? ""), Uint8Array.of(1, 2, 3));
    assert.deepEqual(lookUp((serving.layer("a") ?? layer([])).from, "routes/80")?.value, ["c/Service/shop/a"]);
  });

  test("names a resource as this release does: what did not change is not written again", async () => {
    const context = contextOf(await oldStore());
    const old = await loaded(context);
    const same = makeResource("routes", "80", TABLE, { ...NO_NEEDS, clusters: CLUSTERS }, []);
    assert.equal(old.loaded.view(["a"]).get("routes", "80")?.digest, same.digest);
    const next = await published(context, old, edition({ a: layer([same, resource("clusters", "y")]) }, old.edition));
    assert.ok((next.root.packs[1]?.size ?? 0) < 3_000, `${next.root.packs[1]?.size} bytes`);
    const reader = await loaded(context);
    assert.deepEqual(reader.loaded.blobs.bytes(same.digest), TABLE);
  });

  test("goes on in this release's form, table in pieces, and what it held before still opens", async () => {
    const context = contextOf(await oldStore());
    const old = await loaded(context);
    const pieces = [TABLE.subarray(0, 60_000), TABLE.subarray(60_000)];
    const pieced = makeResource("routes", "80", pieces, { ...NO_NEEDS, clusters: CLUSTERS }, []);
    await published(context, old, edition({ a: layer([pieced]) }, old.edition, { rules: NO_RULES }));
    for (const head of [await loaded(context), await loaded(context, old)]) {
      assert.equal(head.loaded.view(["a"]).get("routes", "80")?.digest, pieced.digest);
      assert.deepEqual(head.loaded.blobs.bytes(pieced.digest), TABLE);
      assert.equal(head.loaded.rules.rootNamespace, NO_RULES.rootNamespace);
    }
    const before = await openEdition(context, "0000000001-old");
    assert.deepEqual(before?.blobs.bytes(before.view(["a"]).get("routes", "80")?.digest ?? ""), TABLE);
  });
});
