import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diffLayers } from "#core/edition/diff.ts";
import { documentList } from "#core/edition/document-list.ts";
import { sealSecrets } from "#core/edition/seal.ts";
import { treeDigest } from "#core/edition/tree.ts";
import { lookUp } from "#core/lib/trie.ts";
import { loadHead, openEdition } from "#core/store/load.ts";
import { ROOT_KEY } from "#core/store/root.ts";
import { brotli } from "#functions/io/compression.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { sealerOf } from "#functions/io/seal.ts";
import { faultyStore } from "#test/conformance/faulty-store.ts";
import { NO_RULES } from "#test/support/rules.ts";
import { edition, layer, resource } from "../edition/sample.ts";
import { contextOf, loaded, published } from "./sample.ts";

const CLUSTER = resource("clusters", "x", "", ["x"]);
const LAYER = layer([CLUSTER, resource("listeners", "l")]);
const INVENTORY = documentList({ nameOf: ({ name }: { name: string; ports: number[] }) => name }, [{ name: "c/Service/shop/x", ports: [80] }]);
const FIRST = edition({ a: LAYER }, undefined, { inventory: INVENTORY, rules: { ...NO_RULES, rootNamespace: "root" } });
const SECOND = edition({ a: layer([resource("clusters", "x", "new"), resource("listeners", "l")], LAYER) }, FIRST, {
  rules: { ...NO_RULES, rootNamespace: "root" },
});

describe("loading", () => {
  test("gives what was published", async () => {
    const context = contextOf(memoryStore());
    await published(context, undefined, FIRST);
    const { edition: read, loaded: serving } = await loaded(context);
    assert.deepEqual([read.id, read.generation, read.builder, read.cause], [FIRST.id, 1, "test", { total: 0, keys: [] }]);
    assert.equal(treeDigest(read.layers), treeDigest(FIRST.layers));
    assert.deepEqual(lookUp(read.inventory, "c/Service/shop/x")?.value, { name: "c/Service/shop/x", ports: [80] });
    assert.equal(serving.rules.rootNamespace, "root");
    const entry = serving.view(["a"]).get("clusters", "x");
    assert.deepEqual(entry?.needs, CLUSTER.needs);
    assert.deepEqual(serving.blobs.bytes(entry?.digest ?? ""), CLUSTER.bytes);
    assert.deepEqual(lookUp(serving.layer("a")?.from ?? LAYER.from, "clusters/x")?.value, ["c/Service/shop/x"]);
    assert.deepEqual(diffLayers(FIRST, read), []);
  });

  test("of a store in which nothing was published is no error", async () => {
    assert.deepEqual(await loadHead(contextOf(memoryStore())), { outcome: "empty" });
  });

  test("fetches only what is new, and keeps what is known", async () => {
    const store = faultyStore(memoryStore());
    const context = contextOf(store);
    const writer = await published(context, undefined, FIRST);
    const reader = await loaded(context);
    assert.equal((await loadHead(context, reader)).outcome, "unchanged");
    const listener = reader.loaded.view(["a"]).get("listeners", "l");
    await published(context, writer, SECOND);
    const before = store.operations.length;
    const next = await loaded(context, reader);
    assert.equal(store.operations.length, before + 2);
    assert.equal(next.loaded.view(["a"]).get("listeners", "l"), listener);
    assert.equal(next.loaded.view(["a"]).names("clusters"), reader.loaded.view(["a"]).names("clusters"));
    assert.notEqual(next.loaded.view(["a"]).id, reader.loaded.view(["a"]).id);
  });

  test("of one layer leaves the others alone, from one edition to the next", async () => {
    const many = (text: string) =>
      layer(Array.from({ length: 3000 }, (_, index) => resource("endpoints", `e${index}`, `${text} ${"x".repeat(100)}`)));
    const context = contextOf(memoryStore());
    const writer = await published(context, undefined, edition({ a: LAYER, b: many("old") }));
    let expanded = 0;
    const compression = {
      ...brotli,
      expand: (bytes: Uint8Array) => {
        expanded++;
        return brotli.expand(bytes);
      },
    };
    const reader = await loaded({ ...context, compression });
    assert.deepEqual(reader.loaded.view(["a"]).names("clusters"), ["x"]);
    await published(context, writer, edition({ a: LAYER, b: many("new") }, writer.edition));
    assert.deepEqual((await loaded({ ...context, compression }, reader)).loaded.view(["a"]).names("clusters"), ["x"]);
    assert.ok(expanded <= 2, `${expanded} pieces of content were expanded`);
  });

  test("an edition that is held stays whole while newer ones come", async () => {
    const context = contextOf(memoryStore());
    let writer = await published(context, undefined, FIRST);
    const held = await loaded(context);
    let reader = held;
    for (let step = 0; step < 40; step++) {
      writer = await published(context, writer, edition({ a: layer([resource("clusters", "x", `${step}`)]) }, writer.edition));
      reader = await loaded(context, reader);
    }
    const entry = held.loaded.view(["a"]).get("clusters", "x");
    assert.deepEqual(entry?.needs, CLUSTER.needs);
    assert.deepEqual(held.loaded.blobs.bytes(entry?.digest ?? ""), CLUSTER.bytes);
  });

  test("a pack that is gone means that the root was overtaken", async () => {
    const store = faultyStore(memoryStore());
    const context = contextOf(store);
    const head = await published(context, undefined, FIRST);
    store.before("get", async () => {});
    store.before("get", async () => {
      const got = await store.get(ROOT_KEY);
      assert.ok(got.outcome === "found");
      await store.delete(ROOT_KEY);
      await store.delete(`packs/${head.root.packs[0]?.name}`);
      await published(context, undefined, FIRST);
    });
    assert.equal((await loaded(context)).edition.id, FIRST.id);
  });

  test("a root whose pack stays away is an error", async () => {
    const store = memoryStore();
    const head = await published(contextOf(store), undefined, FIRST);
    await store.delete(`packs/${head.root.packs[0]?.name}`);
    await assert.rejects(loadHead(contextOf(store)), /does not have/);
  });

  test("a damaged pack is an error", async () => {
    const store = memoryStore();
    const head = await published(contextOf(store), undefined, FIRST);
    const key = `packs/${head.root.packs[0]?.name}`;
    await store.delete(key);
    await store.putIfAbsent(key, new Uint8Array(100));
    await assert.rejects(loadHead(contextOf(store)), /damaged/);
  });

  test("a generation never falls", async () => {
    const store = memoryStore();
    const context = contextOf(store);
    const head = await published(context, await published(context, undefined, FIRST), SECOND);
    await store.delete(ROOT_KEY);
    await published(context, undefined, FIRST);
    const result = await loadHead(context, head);
    assert.deepEqual(result, { outcome: "behind", head, generation: 1 });
  });

  test("secrets come back with the key, and without it are as if they were not there", async () => {
    const sealer = sealerOf(new Uint8Array(32));
    const secret = resource("secrets", "s", "private");
    const sealed = layer(sealSecrets([secret, CLUSTER], sealer).resources);
    const context = contextOf(memoryStore(), { sealer });
    await published(context, undefined, edition({ a: sealed }));
    const view = (await loaded(context)).loaded.view(["a"]);
    assert.deepEqual((await loaded(context)).loaded.blobs.bytes(view.get("secrets", "s")?.digest ?? ""), secret.bytes);
    for (const other of [undefined, sealerOf(new Uint8Array(32).fill(1))]) {
      const blind = (await loaded({ ...context, sealer: other })).loaded.view(["a"]);
      assert.equal(blind.get("secrets", "s"), undefined);
      assert.deepEqual(blind.names("secrets"), []);
      assert.deepEqual(blind.names("clusters"), ["x"]);
    }
  });
});

describe("history", () => {
  test("any edition opens from its own pack", async () => {
    const context = contextOf(memoryStore());
    const head = await published(context, undefined, FIRST);
    await published(context, head, SECOND);
    const packs = await context.store.list("packs/");
    const opened = await Promise.all(packs.map(({ key }) => openEdition(context, key.slice("packs/".length))));
    assert.deepEqual(
      opened.map((edition) => edition?.edition.id),
      [FIRST.id, SECOND.id],
    );
    assert.deepEqual(opened[0]?.blobs.bytes(CLUSTER.digest), CLUSTER.bytes);
    assert.equal(await openEdition(context, "0000000001-other"), undefined);
  });
});
