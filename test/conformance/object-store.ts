import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ObjectStore, Token } from "#core/store/object-store.ts";

/** Opens one and the same store as often as it is called; each call is another client of it. */
export type OpenStore = () => ObjectStore;

/** What every object store must do, whatever it is made of. `make` gives a new, empty store. */
export function objectStoreConformance(name: string, make: () => Promise<OpenStore>): void {
  describe(`object store: ${name}`, () => {
    test("what was put is got, whole, with a token that names its state", async () => {
      const store = (await make())();
      const written = await store.putIfAbsent("packs/1", bytes("content"));
      assert.deepEqual(await store.get("packs/1"), { outcome: "found", bytes: bytes("content"), token: tokenOf(written) });
      assert.deepEqual(await store.get("packs/2"), { outcome: "absent" });
    });

    test("an empty object is an object", async () => {
      const store = (await make())();
      const written = await store.putIfAbsent("empty", bytes(""));
      assert.deepEqual(await store.get("empty"), { outcome: "found", bytes: bytes(""), token: tokenOf(written) });
    });

    test("what is written later to the same array does not change what is stored", async () => {
      const store = (await make())();
      const content = bytes("before");
      await store.putIfAbsent("a", content);
      content.fill(0);
      const got = await store.get("a");
      assert.ok(got.outcome === "found");
      assert.deepEqual(got.bytes, bytes("before"));
    });

    test("an unchanged object is not sent again", async () => {
      const store = (await make())();
      const token = tokenOf(await store.putIfAbsent("root", bytes("1")));
      assert.deepEqual(await store.get("root", token), { outcome: "unchanged" });
      const next = tokenOf(await store.swap("root", bytes("2"), token));
      assert.deepEqual(await store.get("root", token), { outcome: "found", bytes: bytes("2"), token: next });
    });

    test("put if absent never overwrites", async () => {
      const store = (await make())();
      await store.putIfAbsent("a", bytes("first"));
      assert.deepEqual(await store.putIfAbsent("a", bytes("second")), { outcome: "refused" });
      assert.deepEqual(await contentOf(store, "a"), bytes("first"));
    });

    test("a swap needs the token of the present state", async () => {
      const store = (await make())();
      const first = tokenOf(await store.putIfAbsent("root", bytes("1")));
      const second = tokenOf(await store.swap("root", bytes("2"), first));
      assert.deepEqual(await store.swap("root", bytes("3"), first), { outcome: "refused" });
      assert.deepEqual(await store.swap("nothing", bytes("3"), second), { outcome: "refused" });
      assert.deepEqual(await contentOf(store, "root"), bytes("2"));
      assert.deepEqual(await store.get("nothing"), { outcome: "absent" });
    });

    test("of many who create an object at once, one succeeds", async () => {
      const open = await make();
      const puts = await Promise.all(Array.from({ length: 20 }, (_, index) => open().putIfAbsent("root", bytes(`${index}`))));
      const winners = puts.flatMap((put, index) => (put.outcome === "written" ? [index] : []));
      assert.equal(winners.length, 1);
      assert.deepEqual(await contentOf(open(), "root"), bytes(`${winners[0]}`));
    });

    test("of many who swap an object at once, one succeeds", async () => {
      const open = await make();
      let token = tokenOf(await open().putIfAbsent("root", bytes("start")));
      for (let round = 0; round < 5; round++) {
        const puts = await Promise.all(Array.from({ length: 10 }, (_, index) => open().swap("root", bytes(`${round} ${index}`), token)));
        const winners = puts.flatMap((put, index) => (put.outcome === "written" ? [{ index, token: put.token }] : []));
        assert.equal(winners.length, 1);
        assert.deepEqual(await contentOf(open(), "root"), bytes(`${round} ${winners[0]?.index}`));
        token = winners[0]?.token as Token;
      }
    });

    test("readers see one state or another while writers swap, never a part of one", async () => {
      const open = await make();
      const states = ["a", "b"].map((letter) => bytes(letter.repeat(200_000)));
      let token = tokenOf(await open().putIfAbsent("root", states[0] as Uint8Array));
      let writing = true;
      const reader = (async () => {
        while (writing) {
          const content = await contentOf(open(), "root");
          assert.equal(content.length, 200_000);
          assert.ok(content.every((byte) => byte === content[0]));
        }
      })();
      for (let round = 1; round <= 20; round++) token = tokenOf(await open().swap("root", states[round % 2] as Uint8Array, token));
      writing = false;
      await reader;
    });

    test("lists by prefix, in order, with size and age", async () => {
      const store = (await make())();
      for (const key of ["packs/2", "packs/10", "root", "packs-other", "inventory/a/root"]) await store.putIfAbsent(key, bytes(key));
      const listed = await store.list("packs/");
      assert.deepEqual(
        listed.map(({ key, size }) => [key, size]),
        [
          ["packs/10", 8],
          ["packs/2", 7],
        ],
      );
      for (const { modified } of listed) assert.ok(Math.abs(modified - Date.now()) < 60_000);
      const all = await store.list("");
      assert.deepEqual(
        all.map(({ key }) => key),
        ["inventory/a/root", "packs-other", "packs/10", "packs/2", "root"],
      );
      assert.deepEqual(
        (await store.list("packs")).map(({ key }) => key),
        ["packs-other", "packs/10", "packs/2"],
      );
      assert.deepEqual(await store.list("nothing/"), []);
    });

    test("deletes, with a token only the state that has it", async () => {
      const store = (await make())();
      const first = tokenOf(await store.putIfAbsent("a", bytes("1")));
      await store.swap("a", bytes("2"), first);
      await store.delete("a", first);
      assert.deepEqual(await contentOf(store, "a"), bytes("2"));
      await store.delete("a");
      await store.delete("a");
      assert.deepEqual(await store.get("a"), { outcome: "absent" });
      assert.equal((await store.putIfAbsent("a", bytes("3"))).outcome, "written");
    });

    test("does not let a key out of its bounds", async () => {
      const store = (await make())();
      for (const key of ["../a", "/a", "a//b", "", "a/../../b", ".hidden"]) await assert.rejects(async () => store.putIfAbsent(key, bytes("x")));
    });
  });
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function tokenOf(put: Awaited<ReturnType<ObjectStore["swap"]>>): Token {
  assert.ok(put.outcome === "written");
  return put.token;
}

async function contentOf(store: ObjectStore, key: string): Promise<Uint8Array> {
  const got = await store.get(key);
  assert.ok(got.outcome === "found");
  return got.bytes;
}
