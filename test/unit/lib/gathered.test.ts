import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { gathered } from "#core/lib/gathered.ts";

interface Item {
  readonly values: readonly number[];
}

const item = (...values: readonly number[]): Item => ({ values });

describe("gathered", () => {
  test("finds what flatMap finds, whatever the lists before were", () => {
    const items = fc.array(
      fc.array(fc.nat({ max: 3 }), { maxLength: 2 }).map((values) => item(...values)),
      { minLength: 1, maxLength: 6 },
    );
    const picks = fc.array(fc.array(fc.nat({ max: 5 }), { maxLength: 6 }), { maxLength: 6 });
    fc.assert(
      fc.property(items, picks, (pool, lists) => {
        const valuesOf = gathered(({ values }: Item) => values);
        for (const picked of lists) {
          const list = picked.map((at) => pool[at % pool.length] as Item);
          assert.deepEqual(
            valuesOf(list),
            list.flatMap(({ values }) => values),
          );
        }
      }),
    );
  });

  test("looks only at objects that are new, and gives the same list where nothing else was found", () => {
    const seen: Item[] = [];
    const valuesOf = gathered((one: Item) => {
      seen.push(one);
      return one.values;
    });
    const [a, b, c] = [item(1), item(), item(2)];
    const first = valuesOf([a, b, c]);
    const again = item(2);
    assert.equal(valuesOf([a, b, again]), first);
    assert.deepEqual(valuesOf([b, again]), [2]);
    assert.deepEqual(seen, [a, b, c, again]);
  });

  test("keeps apart what is found in different contexts", () => {
    const scaled = gathered(({ values }: Item, { factor }: { readonly factor: number }) => values.map((value) => value * factor));
    const list = [item(1, 2)];
    const [once, twice] = [{ factor: 1 }, { factor: 2 }];
    assert.deepEqual(
      [scaled(list, once), scaled(list, twice), scaled(list, once)],
      [
        [1, 2],
        [2, 4],
        [1, 2],
      ],
    );
  });
});
