import assert from "node:assert/strict";
import { test } from "node:test";
import { memoize } from "#core/lib/memo.ts";

test("a result is found again by the identity of all arguments, absent ones included", () => {
  let calls = 0;
  const pair = memoize((a: object, b: object | undefined) => {
    calls++;
    return [a, b];
  });
  const [one, two, three] = [{}, {}, {}];
  for (const b of [one, two, three, undefined]) assert.deepEqual(pair(one, b), [one, b]);
  for (const b of [undefined, three, two, one]) assert.equal(pair(one, b)[1], b);
  assert.equal(calls, 4);
  assert.notEqual(pair(two, one), pair(one, two));
});

test("an undefined result is remembered too", () => {
  let calls = 0;
  const nothing = memoize((_: object) => {
    calls++;
    return undefined;
  });
  const key = {};
  assert.equal(nothing(key), undefined);
  assert.equal(nothing(key), undefined);
  assert.equal(calls, 1);
});
