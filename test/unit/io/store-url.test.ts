import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "#functions/io/store-url.ts";

test("a path, a file URL and memory are stores", () => {
  for (const url of [".almanac", "/tmp/almanac", "file:///tmp/almanac", "memory:"]) assert.ok("get" in openStore(url), url);
});

test("each store in memory is its own", async () => {
  const [one, other] = [openStore("memory:"), openStore("memory:")];
  assert.ok("get" in one && "get" in other);
  await one.putIfAbsent("root", new Uint8Array());
  assert.equal((await other.get("root")).outcome, "absent");
});

test("what is no store is told in a sentence", () => {
  const errorOf = (url: string): string => (openStore(url) as { error: string }).error;
  assert.match(errorOf("s3://bucket/prefix"), /later release/);
  assert.match(errorOf("ftp://host"), /no store of this kind/);
  assert.match(errorOf(""), /no URL/);
});
