import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { movements } from "#core/lib/list-diff.ts";

test("what left and what arrived, whatever moved besides", () => {
  const values = Array.from({ length: 8 }, (_, index) => ({ index }));
  const lists = fc.uniqueArray(fc.constantFrom(...values));
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const { left, arrived } = movements(before, after);
      assert.deepEqual(left, new Set(before.filter((value) => !after.includes(value))));
      assert.deepEqual(arrived, new Set(after.filter((value) => !before.includes(value))));
    }),
  );
});

test("costs a walk where sorted lists differ in few, distant places", () => {
  const before = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  const after = before.toSpliced(90_000, 0, { index: -1 }).toSpliced(10, 1);
  const { left, arrived } = movements(before, after);
  assert.deepEqual([left.size, arrived.size], [1, 1]);
});
