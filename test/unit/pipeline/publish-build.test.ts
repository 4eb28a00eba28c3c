import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Edition } from "#core/edition/edition.ts";
import { type Ground, groundOf, publishBuild, RACES } from "#core/pipeline/publish-build.ts";
import { loadHead } from "#core/store/load.ts";
import { ROOT_KEY } from "#core/store/root.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { faultyStore } from "#test/conformance/faulty-store.ts";
import { edition, layer, resource } from "#test/unit/edition/sample.ts";
import { contextOf, loaded, published } from "#test/unit/store/sample.ts";

const NOWHERE: Ground = { head: undefined, edition: undefined };

/** Who builds an edition with one layer of its own beside those that it finds. */
function maker(name: string) {
  const bases: (number | undefined)[] = [];
  const make = (base: Edition | undefined): { readonly edition: Edition } => {
    bases.push(base?.generation);
    return { edition: edition({ [name]: layer([resource("clusters", `${name} ${bases.length}`)]) }, base) };
  };
  return { make, bases };
}

describe("building and publishing", () => {
  test("says what was published; what changes nothing is not written", async () => {
    const context = contextOf(memoryStore());
    const first = await publishBuild(context, NOWHERE, maker("a"));
    assert.ok(first.outcome === "published" && first.bytes > 0);
    const ground = { head: first.head, edition: first.head.edition };
    const second = await publishBuild(context, ground, { make: () => first.build });
    assert.equal(second.outcome, "unchanged");
  });

  test("does nothing when there is nothing to build", async () => {
    const store = faultyStore(memoryStore());
    assert.deepEqual(await publishBuild(contextOf(store), NOWHERE, { make: () => undefined }), { outcome: "idle" });
    assert.deepEqual(store.operations, []);
  });

  test("who is slower builds anew, on what the other published", async () => {
    const store = faultyStore(memoryStore());
    const context = contextOf(store);
    store.before("putIfAbsent", () => published(context, undefined, edition({ other: layer([resource("clusters", "o")]) })));
    const { make, bases } = maker("a");
    const conceded: unknown[] = [];
    const result = await publishBuild(context, NOWHERE, {
      make,
      conceded: (ground, race) => conceded.push([ground.head?.root.generation, ground.edition?.generation, race]),
    });
    assert.equal(result.outcome, "published");
    assert.deepEqual([bases, conceded], [[undefined, 1], [[1, 1, 1]]]);
    assert.equal((await loaded(context)).edition.generation, 2);
  });

  test("goes on in generation where somebody emptied the store", async () => {
    const store = memoryStore();
    const context = contextOf(store);
    const head = await published(context, await published(context, undefined, edition({})), edition({ a: layer([]) }));
    const ground = groundOf({ outcome: "loaded", head });
    await store.delete(ROOT_KEY);
    const result = await publishBuild(context, ground, maker("b"));
    assert.equal(result.outcome, "published");
    assert.equal((await loaded(context)).edition.generation, head.edition.generation + 1);
  });

  test("gives up on somebody who is always faster, and has what that one published last", async () => {
    const memory = memoryStore();
    const faster = async (): Promise<void> => {
      const { head, edition: base } = groundOf(await loadHead(contextOf(memory)));
      await published(contextOf(memory), head, edition({ [`layer ${base?.generation}`]: layer([]) }, base));
    };
    const racing = contextOf({
      ...memory,
      putIfAbsent: async (key, bytes) => {
        if (key !== ROOT_KEY) await faster();
        return memory.putIfAbsent(key, bytes);
      },
    });
    let last: Ground = NOWHERE;
    const result = await publishBuild(racing, NOWHERE, {
      ...maker("a"),
      conceded: (ground) => {
        last = ground;
      },
    });
    assert.deepEqual(result, { outcome: "overtaken" });
    assert.equal(last.head?.root.generation, RACES);
  });

  test("tells failures of the store from those of the build", async () => {
    const store = faultyStore(memoryStore());
    const atStore = <T>(act: () => Promise<T>): Promise<T> =>
      act().catch((error: unknown) => {
        throw new Error("at the store", { cause: error });
      });
    store.fail("putIfAbsent", "not done");
    store.fail("putIfAbsent", "not done");
    await assert.rejects(publishBuild(contextOf(store), NOWHERE, { ...maker("a"), atStore }), /at the store/);
    const fault = (): never => {
      throw new Error("a fault");
    };
    await assert.rejects(publishBuild(contextOf(store), NOWHERE, { make: fault, atStore }), /a fault/);
  });
});
