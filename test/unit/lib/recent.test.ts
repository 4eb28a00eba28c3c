import assert from "node:assert/strict";
import { test } from "node:test";
import { recent } from "#core/lib/recent.ts";

test("the values asked for last are remembered", () => {
  const remembered = recent<object>(2);
  const a = remembered("a", () => ({}));
  const b = remembered("b", () => ({}));
  assert.equal(
    remembered("a", () => ({})),
    a,
  );
  remembered("c", () => ({}));
  assert.equal(
    remembered("a", () => ({})),
    a,
  );
  assert.notEqual(
    remembered("b", () => ({})),
    b,
  );
});
