import assert from "node:assert/strict";
import { test } from "node:test";
import { selectorFits } from "#core/lib/label-selector.ts";
import { equalLabels, isSelected, isSubset } from "#core/lib/labels.ts";

test("an empty selector fits everything, but selects nothing", () => {
  assert.equal(isSubset({}, { app: "a" }), true);
  assert.equal(isSelected({}, { app: "a" }), false);
});

test("a selector wants each of its labels with its value", () => {
  assert.equal(isSelected({ app: "a" }, { app: "a", version: "v1" }), true);
  assert.equal(isSelected({ app: "a", version: "v2" }, { app: "a", version: "v1" }), false);
  assert.equal(isSubset({ gone: "" }, {}), false);
});

test("equal labels don't depend on their order", () => {
  assert.equal(equalLabels({ a: "1", b: "2" }, { b: "2", a: "1" }), true);
  assert.equal(equalLabels({ a: "1" }, { a: "1", b: "2" }), false);
});

test("expressions of a label selector are all met", () => {
  const selector = {
    matchLabels: { mesh: "member" },
    matchExpressions: [
      { key: "team", operator: "In", values: ["a", "b"] },
      { key: "retired", operator: "DoesNotExist", values: [] },
      { key: "zone", operator: "NotIn", values: ["x"] },
    ],
  };
  assert.equal(selectorFits(selector, { mesh: "member", team: "b" }), true);
  assert.equal(selectorFits(selector, { mesh: "member", team: "c" }), false);
  assert.equal(selectorFits(selector, { mesh: "member", team: "a", retired: "" }), false);
  assert.equal(selectorFits(selector, { mesh: "member", team: "a", zone: "x" }), false);
  assert.equal(selectorFits({ matchLabels: {}, matchExpressions: [{ key: "a", operator: "Likes", values: [] }] }, { a: "" }), false);
});
