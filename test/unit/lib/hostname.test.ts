import assert from "node:assert/strict";
import { test } from "node:test";
import { hostIndex, mostSpecific } from "#core/lib/host-index.ts";
import { compareSpecificity, expandHost, hostsMatch, isSubsetOf } from "#core/lib/hostname.ts";

test("a wildcard covers every name that ends like it, and narrower wildcards", () => {
  assert.equal(isSubsetOf("a.example.com", "*.example.com"), true);
  assert.equal(isSubsetOf("a.b.example.com", "*.example.com"), true);
  assert.equal(isSubsetOf("example.com", "*.example.com"), false);
  assert.equal(isSubsetOf("*.b.example.com", "*.example.com"), true);
  assert.equal(isSubsetOf("*.example.com", "*.b.example.com"), false);
  assert.equal(isSubsetOf("*.example.com", "a.example.com"), false);
  assert.equal(isSubsetOf("a.com", "*"), true);
});

test("names match in both directions", () => {
  assert.equal(hostsMatch("*.com", "a.com"), true);
  assert.equal(hostsMatch("a.com", "*.com"), true);
  assert.equal(hostsMatch("*.a.com", "*.com"), true);
  assert.equal(hostsMatch("*.com", "*.a.com"), true);
  assert.equal(hostsMatch("*.com", "*.org"), false);
  assert.equal(hostsMatch("A.com", "a.com"), false);
});

test("names sort from exact to wide", () => {
  const sorted = ["*", "*.com", "a.com", "*.a.com", "bb.com", "*.b.com"].sort(compareSpecificity);
  assert.deepEqual(sorted, ["bb.com", "a.com", "*.a.com", "*.b.com", "*.com", "*"]);
});

test("a name without a dot belongs to its object's namespace", () => {
  assert.equal(expandHost("web", "shop", "cluster.local"), "web.shop.svc.cluster.local");
  assert.equal(expandHost("web.books", "shop", "cluster.local"), "web.books");
  assert.equal(expandHost("*", "shop", "cluster.local"), "*");
  assert.equal(expandHost("10.0.0.1", "shop", "cluster.local"), "10.0.0.1");
  assert.equal(expandHost("fd00::1", "shop", "cluster.local"), "fd00::1");
  assert.equal(expandHost("", "shop", "cluster.local"), "");
});

test("the most specific name of an index wins; a wildcard is not found under an exact name", () => {
  const index = hostIndex([
    ["*", 0],
    ["*.com", 1],
    ["*.a.com", 2],
    ["b.a.com", 3],
  ]);
  assert.equal(mostSpecific(index, "b.a.com"), 3);
  assert.equal(mostSpecific(index, "c.a.com"), 2);
  assert.equal(mostSpecific(index, "c.com"), 1);
  assert.equal(mostSpecific(index, "c.org"), 0);
  assert.equal(mostSpecific(index, "*.a.com"), 2);
  assert.equal(mostSpecific(index, "*.x.com"), 1);
});
