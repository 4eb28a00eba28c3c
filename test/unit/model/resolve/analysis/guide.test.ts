import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "#functions/io/api.ts";

test("the guide explains every code that is given", () => {
  const guide = readFileSync(join(packageRoot(), "docs/guides/diagnostics.md"), "utf8");
  const files = ["core", "functions"].flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(packageRoot(), folder, path)),
  );
  const codes = new Set(files.flatMap((file) => readFileSync(file, "utf8").match(/"(IST|ALM)\d{4}"/g) ?? []));
  assert.ok(codes.size > 40);
  assert.deepEqual(
    [...codes].map((code) => code.slice(1, -1)).filter((code) => !guide.includes(code)),
    [],
  );
});
