import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIALECT_DIFFERENCES, dialectFeatures } from "#core/node/dialect-features.ts";
import { packageRoot } from "#functions/io/api.ts";

test("the guide shows the table of differences, row by row", () => {
  const guide = readFileSync(join(packageRoot(), "docs/guides/connect-envoy.md"), "utf8");
  const rows = DIALECT_DIFFERENCES.map(
    ({ feature, dialects, having, lacking }) => `| \`${feature}\` | ${dialects.join(", ")}: ${having} | ${lacking} |`,
  );
  assert.deepEqual(
    guide.split("\n").filter((line) => /^\| `[a-zA-Z]+` \| (istio-proxy|envoy|grpc)/.test(line)),
    rows,
  );
});

test("a row is a difference: somebody has the feature, and somebody hasn't", () => {
  for (const { dialects } of DIALECT_DIFFERENCES) assert.ok(dialects.length > 0 && dialects.length < 3);
});

test("features of a dialect are one value", () => {
  assert.equal(dialectFeatures("envoy"), dialectFeatures("envoy"));
  assert.deepEqual([dialectFeatures("envoy").istioFilters, dialectFeatures("istio-proxy").istioFilters], [false, true]);
});
