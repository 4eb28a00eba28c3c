import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PACKS, packsToKeep } from "#core/store/merge-plan.ts";

function packs(...sizes: readonly number[]) {
  return sizes.map((size) => ({ name: "", checksum: "", size }));
}
const SMALL = Array.from({ length: MAX_PACKS - 2 }, () => 10);

test("few packs are all kept", () => {
  assert.equal(packsToKeep(packs()), 0);
  assert.equal(packsToKeep(packs(1, 1, 1)), 3);
});

test("a pack larger than all after it is kept, smaller ones are merged", () => {
  assert.equal(packsToKeep(packs(1000, 10, ...SMALL)), 1);
  assert.equal(packsToKeep(packs(1000, 500, ...SMALL)), 2);
  assert.equal(packsToKeep(packs(200, 100, ...SMALL)), 0);
});
