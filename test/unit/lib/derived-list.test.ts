import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { spliced, stepsBetween } from "#core/lib/derived-list.ts";
import { movements } from "#core/lib/list-diff.ts";

interface Item {
  readonly id: number;
}

/** The list after some splices, each given by a place, how many go and how many come. */
function after(list: readonly Item[], splices: readonly (readonly [number, number, number])[]): readonly Item[] {
  let id = list.length;
  return splices.reduce(
    (current, [place, gone, come]) => spliced(current, place % (current.length + 1), gone, ...Array.from({ length: come }, () => ({ id: id++ }))),
    list,
  );
}

const small = fc.nat({ max: 3 });
const splices = fc.array(fc.tuple(fc.nat(), small, small), { maxLength: 40 });

test("what is remembered of splices is what a comparison finds", () => {
  const list = Array.from({ length: 10 }, (_, id) => ({ id }));
  fc.assert(
    fc.property(splices, (steps) => {
      const found = after(list, steps);
      const { left, arrived } = movements(list, found);
      assert.deepEqual(left, new Set(list.filter((item) => !found.includes(item))));
      assert.deepEqual(arrived, new Set(found.filter((item) => !list.includes(item))));
    }),
  );
});

test("a list that is not remembered to come of the other is compared", () => {
  const list = [{ id: 0 }, { id: 1 }];
  const next = spliced(list, 1, 1);
  assert.equal(stepsBetween(list, next)?.length, 1);
  assert.equal(stepsBetween(next, list), undefined);
  assert.deepEqual([...movements(next, list).arrived], [list[1]]);
});
