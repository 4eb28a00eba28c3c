import assert from "node:assert/strict";
import { test } from "node:test";
import { equalLists, equalValues } from "#core/lib/equality.ts";

test("lists are equal value by value, in order", () => {
  assert.ok(equalLists([1, Number.NaN], [1, Number.NaN]));
  assert.ok(!equalLists([1, 2], [2, 1]));
  assert.ok(!equalLists([1], [1, 2]));
});

test("plain values are equal by their parts, whatever the order of keys", () => {
  assert.ok(equalValues({ a: [1, { b: "x" }], c: undefined }, { c: undefined, a: [1, { b: "x" }] }));
  assert.ok(!equalValues({ a: 1 }, { b: 1 }));
  assert.ok(!equalValues({ a: undefined }, { b: undefined }));
  assert.ok(!equalValues([1], { 0: 1 }));
  assert.ok(!equalValues({ 0: 1 }, [1]));
  assert.ok(!equalValues(null, {}));
});
