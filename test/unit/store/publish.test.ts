import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Head } from "#core/store/head.ts";
import { MAX_PACKS } from "#core/store/merge-plan.ts";
import { publish } from "#core/store/publish.ts";
import { decodeRoot, type Root } from "#core/store/root.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { faultyStore } from "#test/conformance/faulty-store.ts";
import { edition, layer, resource } from "../edition/sample.ts";
import { contextOf, loaded, published } from "./sample.ts";

const FIRST = edition({ a: layer([resource("clusters", "x")]) });
const SECOND = edition({ a: layer([resource("clusters", "x", "new")]) }, FIRST);
const THIRD = edition({ a: layer([resource("clusters", "x", "newer")]) }, SECOND);

describe("publishing", () => {
  test("writes the pack first and the root second", async () => {
    const store = faultyStore(memoryStore());
    const context = contextOf(store);
    const head = await published(context, undefined, FIRST);
    const name = head.root.packs[0]?.name;
    assert.deepEqual(store.operations, [`putIfAbsent packs/${name}`, "putIfAbsent root"]);
    await published(context, head, SECOND);
    assert.equal(store.operations.length, 4);
    assert.equal(store.operations.at(-1), "swap root");
  });

  test("writes nothing when nothing changed", async () => {
    const store = faultyStore(memoryStore());
    const head = await published(contextOf(store), undefined, FIRST);
    const again = edition({ a: layer([resource("clusters", "x")]) }, head.edition);
    assert.equal((await publish(contextOf(store), head, again)).outcome, "unchanged");
    assert.equal(store.operations.length, 2);
  });

  test("loses against whoever was quicker, and leaves the root alone", async () => {
    const context = contextOf(memoryStore());
    const head = await published(context, undefined, FIRST);
    const other = await published(context, head, SECOND);
    assert.equal((await publish(context, head, THIRD)).outcome, "lost");
    assert.equal((await publish(context, undefined, FIRST)).outcome, "lost");
    assert.deepEqual((await loaded(context)).root, other.root);
  });

  test("only one of two publishes the first edition", async () => {
    const context = contextOf(memoryStore());
    const results = await Promise.all([publish(context, undefined, FIRST), publish(context, undefined, FIRST)]);
    assert.deepEqual(results.map(({ outcome }) => outcome).sort(), ["lost", "published"]);
  });

  test("goes on in a store that was emptied, with a generation that readers take for newer", async () => {
    const full = contextOf(memoryStore());
    await published(full, await published(full, undefined, FIRST), SECOND);
    const reader = await loaded(full);
    const emptied = contextOf(memoryStore());
    const writer = await published(emptied, undefined, edition({ a: reader.loaded.layer("a") ?? layer([]), b: layer([]) }, reader.edition));
    assert.equal(writer.root.generation, 3);
    for (const head of [writer, await loaded(emptied, reader)]) {
      const digest = head.loaded.view(["a"]).get("clusters", "x")?.digest ?? "";
      assert.deepEqual(head.loaded.blobs.bytes(digest), resource("clusters", "x", "new").bytes);
    }
  });

  test("gives up when its root was read so long ago that its packs may be gone", async () => {
    const context = contextOf(memoryStore());
    const head = await published(context, undefined, FIRST);
    const later = { ...context, now: () => 13 * 60 * 60 * 1000 };
    assert.equal((await publish(later, head, SECOND)).outcome, "lost");
    await published(later, await loaded(later), SECOND);
  });
});

describe("publishing over a bad line", () => {
  test("a swap whose answer was lost is found to be ours", async () => {
    const store = faultyStore(memoryStore());
    const head = await published(contextOf(store), undefined, FIRST);
    store.fail("swap", "answer lost");
    const next = await published(contextOf(store), head, SECOND);
    assert.deepEqual((await loaded(contextOf(store))).root, next.root);
    await published(contextOf(store), next, THIRD);
  });

  test("so is the first root's", async () => {
    const store = faultyStore(memoryStore());
    store.before("putIfAbsent", async () => {});
    store.before("putIfAbsent", async () => store.fail("putIfAbsent", "answer lost"));
    const head = await published(contextOf(store), undefined, FIRST);
    await published(contextOf(store), head, SECOND);
  });

  test("a swap that was not done is done again", async () => {
    const store = faultyStore(memoryStore());
    const head = await published(contextOf(store), undefined, FIRST);
    store.fail("swap", "not done");
    assert.equal((await published(contextOf(store), head, SECOND)).root.generation, 2);
  });

  test("a swap that was not done, while another's was, is lost", async () => {
    const store = faultyStore(memoryStore());
    const head = await published(contextOf(store), undefined, FIRST);
    store.before("swap", async () => {
      await published(contextOf(store), head, THIRD);
      store.fail("swap", "not done");
    });
    assert.equal((await publish(contextOf(store), head, SECOND)).outcome, "lost");
  });

  test("a pack whose answer was lost is found to be there", async () => {
    const store = faultyStore(memoryStore());
    store.fail("putIfAbsent", "answer lost");
    await published(contextOf(store), undefined, FIRST);
  });

  test("a store that fails for good is an error, and what readers see stays whole", async () => {
    const store = faultyStore(memoryStore());
    const head = await published(contextOf(store), undefined, FIRST);
    store.fail("putIfAbsent", "not done");
    await assert.rejects(publish(contextOf(store), head, SECOND), /connection refused/);
    for (let count = 0; count < 3; count++) store.fail("swap", "not done");
    await assert.rejects(publish(contextOf(store), head, SECOND), /connection refused/);
    assert.equal((await loaded(contextOf(store))).edition.id, FIRST.id);
  });
});

describe("merging packs", () => {
  const many = Array.from({ length: 500 }, (_, index) => resource("endpoints", `e${index}`, `content ${Math.sin(index)} ${Math.cos(index)}`));

  test("a root never names more than the limit, and what it names is always complete", async () => {
    const context = contextOf(memoryStore());
    let resources = many;
    let made = layer(resources);
    let head: Head = await published(context, undefined, edition({ a: made }));
    const base = head.root.packs[0];
    for (let step = 0; step < 5 * MAX_PACKS; step++) {
      resources = resources.with((step * 7) % 500, resource("endpoints", `e${(step * 7) % 500}`, `step ${step}`));
      made = layer(resources, made);
      head = await published(context, head, edition({ a: made }, head.edition));
      assert.ok(head.root.packs.length <= MAX_PACKS);
      if (step % 9 === 0) assertHolds(await loaded(context), resources);
    }
    assertHolds(await loaded(context), resources);
    assert.equal(head.root.packs[0], base, "the large pack is not rewritten for small ones");
  });

  test("goes on from a loaded head as from a published one", async () => {
    const context = contextOf(memoryStore());
    let resources = many;
    await published(context, undefined, edition({ a: layer(resources) }));
    for (let step = 0; step < 2 * MAX_PACKS; step++) {
      const head = await loaded(context);
      resources = resources.with(step, resource("endpoints", `e${step}`, `step ${step}`));
      await published(context, head, edition({ a: layer(resources, head.loaded.layer("a")) }, head.edition));
    }
    assertHolds(await loaded(context), resources);
  });
});

function assertHolds(head: Head, resources: ReturnType<typeof resource>[]): void {
  const view = head.loaded.view(["a"]);
  assert.equal(view.names("endpoints").length, resources.length);
  for (const { name, bytes } of resources) assert.deepEqual(head.loaded.blobs.bytes(view.get("endpoints", name)?.digest ?? ""), bytes);
}

test("a root of another format is refused with a clear message", () => {
  const root = { format: 99 } as Root;
  assert.throws(() => decodeRoot(new TextEncoder().encode(JSON.stringify(root))), /format 99/);
});
