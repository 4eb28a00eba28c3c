import assert from "node:assert/strict";
import { test } from "node:test";
import { joined } from "#core/lib/joined.ts";

test("the same lists give the same list, and one alone is itself", () => {
  const [a, b] = [[1], [2, 3]];
  assert.deepEqual(joined(a, b), [1, 2, 3]);
  assert.equal(joined(a, b), joined(a, b));
  assert.equal(joined([], a, []), a);
  assert.deepEqual(joined(b, a), [2, 3, 1]);
  assert.deepEqual(joined(), []);
});
