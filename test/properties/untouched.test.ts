import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Layer } from "#core/edition/layer.ts";
import { lookUp, visit } from "#core/lib/trie.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { buildCase } from "#test/support/case-build.ts";
import { readCaseInput } from "#test/support/case-input.ts";
import { anyEdit, perform } from "#test/support/edits.ts";
import { layerKeys } from "#test/support/layer-keys.ts";
import { holds, shard } from "#test/support/thorough.ts";

/** Does anything in the layer say that it was made from one of the objects? */
function sees(layer: Layer, objects: ReadonlySet<string>): boolean {
  let found = false;
  visit(layer.from, (_, { value }) => {
    found ||= value?.some((key) => objects.has(key)) ?? false;
  });
  return found;
}

/** An edit that a layer can't see leaves its tree untouched: it is the very same value, so nothing of it is written. */
function check(name: string): void {
  const input = readCaseInput(name);
  const first = buildCase(input, input.inventory);
  const property = fc.property(anyEdit, (edit) => {
    const { inventory, touched, what } = perform(input.inventory, input, edit);
    const { edition } = buildCase(input, inventory, first);
    for (const key of layerKeys(edition)) {
      const before = lookUp(first.edition.layers, key);
      const after = lookUp(edition.layers, key) as Layer;
      if (before === undefined || before === after) continue;
      assert.ok(sees(before, touched) || sees(after, touched), `${what} changed ${key}, which sees nothing of it`);
    }
  });
  holds(property, 4, 200);
}

for (const name of shard(caseNames())) test(`${name}: layers stay as they are where they can't see an edit`, () => check(name));
