import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOfEach } from "#core/lib/first-of-each.ts";

test("of items with one key the first stays, and a list without such is the same one", () => {
  const items = ["a1", "b1", "a2"];
  assert.deepEqual(
    firstOfEach(items, (item) => item[0]),
    ["a1", "b1"],
  );
  assert.equal(
    firstOfEach(items, (item) => item),
    items,
  );
});
