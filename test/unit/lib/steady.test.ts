import assert from "node:assert/strict";
import { test } from "node:test";
import { equalLists } from "#core/lib/equality.ts";
import { steady } from "#core/lib/steady.ts";

test("an equal value is the one that came before, another takes its place", () => {
  const same = steady<readonly string[]>(equalLists);
  const first = same(["a", "b"]);
  assert.equal(same(["a", "b"]), first);
  const second = same(["a", "c"]);
  assert.notEqual(second, first);
  assert.equal(same(["a", "c"]), second);
});
