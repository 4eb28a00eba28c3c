import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { findObject, type Inventory } from "#core/sources/inventory.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import type { Log } from "#functions/io/log.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { openWriter, type Sources, type Writer } from "#functions/watch/writer.ts";
import { CONFIG_CLUSTER, inventoryOf, OPTIONS, serviceYaml } from "#test/support/resolve.ts";
import { contextOf } from "#test/unit/store/sample.ts";

interface Stage {
  readonly writer: Writer;
  /** What the next build will be made of. */
  readonly put: (...services: readonly string[]) => void;
  readonly errors: string[];
}

async function openStage(store: ObjectStore, sources: (inventory: Inventory) => Sources | undefined = plain): Promise<Stage> {
  const errors: string[] = [];
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: (message) => void errors.push(message) };
  let inventory = inventoryOf("");
  const writer = await openWriter({ context: contextOf(store), log, builder: "test", sources: () => sources(inventory) });
  return {
    writer,
    errors,
    put: (...services) => {
      inventory = inventoryOf(services.map((name) => serviceYaml(name)).join(""));
    },
  };
}

function plain(inventory: Inventory): Sources {
  return { inventory, options: OPTIONS, allocate: false };
}

function hasService(inventory: Inventory, name: string): boolean {
  return findObject(inventory, { cluster: CONFIG_CLUSTER, kind: "Service", namespace: "shop", name }) !== undefined;
}

/** Lets time pass until something is so. */
async function passTime(until: () => boolean): Promise<void> {
  for (let passed = 0; passed < 120_000 && !until(); passed += 250) {
    mock.timers.tick(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(until());
}

test("a store that does not take an edition is tried again, less and less often, and the log says it once", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const store = memoryStore();
  let attempts = 0;
  const refusing: ObjectStore = {
    ...store,
    putIfAbsent: (key, bytes) => {
      attempts += 1;
      if (attempts <= 6) throw new Error("no space left on device");
      return store.putIfAbsent(key, bytes);
    },
  };
  const { writer, put, errors } = await openStage(refusing);
  put("web");
  const changed = writer.changed();
  await passTime(() => writer.head() !== undefined);
  await changed;
  assert.equal(writer.head()?.edition.generation, 1);
  assert.equal(errors.length, 1);
  await writer.stop();
});

test("a state that can't be built is not the end: the next change is built without waiting long", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { writer, put, errors } = await openStage(memoryStore(), (inventory) => {
    if (hasService(inventory, "poison")) throw new Error("a fault in the resolver");
    return plain(inventory);
  });
  put("poison");
  void writer.changed();
  // Long enough that the waits have become long.
  for (let passed = 0; passed < 40_000; passed += 250) {
    mock.timers.tick(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(errors.length, 1);
  put("web");
  void writer.changed();
  let passed = 0;
  await passTime(() => {
    passed += 250;
    return writer.head() !== undefined;
  });
  assert.ok(passed <= 2_000, `built ${passed} ms after the change`);
  await writer.stop();
});

test("nothing is published before the sources were listed once, not for a node that asks either", async () => {
  let listed = false;
  const { writer, put } = await openStage(memoryStore(), (inventory) => (listed ? plain(inventory) : undefined));
  put("web");
  await writer.changed();
  await writer.compileFor([
    { node: { id: "sidecar~10.1.0.5~web.shop~shop.svc.cluster.local", cluster: "", metadata: {}, locality: NOWHERE, userAgentName: "" } },
  ]);
  assert.equal(writer.head(), undefined);
  listed = true;
  await writer.changed();
  assert.equal(writer.head()?.edition.generation, 1);
  assert.equal(writer.head()?.edition.census.size, 1, "who asked meanwhile is compiled for");
  await writer.stop();
});

const NOWHERE = { region: "", zone: "", subzone: "" };
