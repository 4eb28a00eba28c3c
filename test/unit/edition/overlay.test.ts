import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeLayer } from "#core/edition/layer.ts";
import { loadedOf } from "#core/edition/loaded.ts";
import { edition, layer, resource } from "./sample.ts";

const LOW = layer([resource("listeners", "a", "low"), resource("listeners", "b", "low"), resource("clusters", "x")]);
const HIGH = makeLayer({ resources: [resource("listeners", "b", "high"), resource("listeners", "c")], absent: [{ type: "listeners", name: "a" }] });
const EDITION = edition({ low: LOW, high: HIGH });

describe("view", () => {
  test("a later layer wins, name by name", () => {
    const view = loadedOf(EDITION).view(["low", "high"]);
    assert.equal(view.get("listeners", "b")?.digest, resource("listeners", "b", "high").digest);
    assert.equal(loadedOf(EDITION).view(["high", "low"]).get("listeners", "b")?.digest, resource("listeners", "b", "low").digest);
  });

  test("what a later layer hides is not there, what it hides before a lower one is", () => {
    assert.equal(loadedOf(EDITION).view(["low", "high"]).get("listeners", "a"), undefined);
    assert.equal(loadedOf(EDITION).view(["high", "low"]).get("listeners", "a")?.digest, resource("listeners", "a", "low").digest);
  });

  test("lists names sorted, without those that are hidden", () => {
    const view = loadedOf(EDITION).view(["low", "high"]);
    assert.deepEqual(view.names("listeners"), ["b", "c"]);
    assert.deepEqual(view.names("clusters"), ["x"]);
    assert.deepEqual(view.names("routes"), []);
    assert.deepEqual(loadedOf(EDITION).view(["high", "low"]).names("listeners"), ["a", "b", "c"]);
  });

  test("has the same id in editions that change none of its layers", () => {
    const loaded = loadedOf(EDITION);
    const next = loadedOf(edition({ low: LOW, high: layer([]) }, EDITION), loaded);
    assert.equal(next.view(["low"]).id, loaded.view(["low"]).id);
    assert.notEqual(next.view(["low", "high"]).id, loaded.view(["low", "high"]).id);
  });

  test("is one object for the nodes of one edition that share layers", () => {
    const loaded = loadedOf(EDITION);
    assert.equal(loaded.view(["low", "high"]), loaded.view(["low", "high"]));
  });

  test("keeps the list of names while no name comes or goes", () => {
    const loaded = loadedOf(EDITION);
    const names = loaded.view(["low", "high"]).names("listeners");
    const changed = layer([resource("listeners", "a", "new"), resource("listeners", "b", "low"), resource("clusters", "x")], LOW);
    const next = loadedOf(edition({ low: changed, high: HIGH }, EDITION), loaded);
    assert.equal(next.view(["low", "high"]).names("listeners"), names);
    const grown = layer([resource("listeners", "d")], changed);
    const last = loadedOf(edition({ low: grown, high: HIGH }, next.edition), next);
    assert.deepEqual(last.view(["low", "high"]).names("listeners"), ["b", "c", "d"]);
  });
});

describe("loaded edition", () => {
  test("says which layers it does not have", () => {
    assert.deepEqual(loadedOf(EDITION).missing(["low", "other"]), ["other"]);
    assert.deepEqual(loadedOf(EDITION).view(["other"]).names("clusters"), []);
  });

  test("gives the bytes of what its layers name, and of nothing else", () => {
    const first = loadedOf(EDITION);
    const second = loadedOf(edition({ low: layer([resource("clusters", "x", "new")], LOW), high: HIGH }, EDITION), first);
    const [old, next] = [resource("clusters", "x"), resource("clusters", "x", "new")];
    assert.deepEqual(first.blobs.bytes(old.digest), old.bytes);
    assert.deepEqual(second.blobs.bytes(next.digest), next.bytes);
    assert.throws(() => second.blobs.bytes(old.digest));
  });

  test("keeps bytes that one of several layers still names", () => {
    const shared = resource("clusters", "x");
    const before = edition({ a: layer([shared]), b: layer([shared]) });
    const after = edition({ a: layer([shared]) }, before);
    assert.deepEqual(loadedOf(after, loadedOf(before)).blobs.bytes(shared.digest), shared.bytes);
  });
});
