import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Dialect } from "#core/node/facts.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { readCaseInput } from "#test/support/case-input.ts";
import { anyEdit, perform } from "#test/support/edits.ts";
import { leaks, worldOf } from "#test/support/isolation.ts";
import { holds } from "#test/support/thorough.ts";

/**
 * Whatever is dropped, duplicated or garbled in any object of any case: nothing throws, and what nodes are sent changes only where a resource says that it was
 * made from the object (test/support/isolation.ts says what counts for its coming and going), or where placement read it.
 */
function check(name: string, dialect: Dialect, few: number, many: number): void {
  const input = readCaseInput(name, dialect);
  const base = worldOf(input, input.inventory);
  const property = fc.property(anyEdit, (edit) => {
    const { inventory, touched, what } = perform(input.inventory, input.objects, edit);
    if (inventory.shelves === input.inventory.shelves) return;
    assert.deepEqual(leaks(base, worldOf(input, inventory, base), touched), [], what);
  });
  holds(property, few, many);
}

for (const name of caseNames()) {
  test(`${name}: a garbled object changes only what was made from it`, () => {
    check(name, "istio-proxy", 8, 1_000);
    check(name, "envoy", 2, 200);
    check(name, "grpc", 2, 200);
  });
}
