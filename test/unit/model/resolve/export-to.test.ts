import assert from "node:assert/strict";
import { test } from "node:test";
import { isVisible, resolveExportTo } from "#core/model/resolve/export-to.ts";

test("a star makes public whatever stands beside it, a tilde hides from everybody", () => {
  assert.deepEqual(resolveExportTo(["~", "*"], "shop"), { kind: "public" });
  assert.deepEqual(resolveExportTo(["~", "lab"], "shop"), { kind: "none" });
});

test("a dot is the own namespace", () => {
  const exported = resolveExportTo([".", "lab", "shop"], "shop");
  assert.deepEqual(exported, { kind: "namespaces", namespaces: ["lab", "shop"] });
  assert.equal(isVisible(exported, "lab"), true);
  assert.equal(isVisible(exported, "pay"), false);
});
