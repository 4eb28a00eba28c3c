import assert from "node:assert/strict";
import { test } from "node:test";
import { interner } from "#core/lib/intern.ts";

test("equal values share one identity, different ones do not", () => {
  const intern = interner<{ readonly port: number }>();
  const first = intern({ port: 80 });
  assert.equal(intern({ port: 80 }), first);
  assert.notEqual(intern({ port: 81 }), first);
});
