import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyChange, emptyInventory, type Inventory } from "#core/sources/inventory.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { buildCase, contentsOf } from "#test/support/case-build.ts";
import { admitAgain, type CaseInput, type CaseObject, CONFIG_CLUSTER, readCaseInput } from "#test/support/case-input.ts";
import { holds } from "#test/support/thorough.ts";

/** Every object is read anew, so that nothing is found that was remembered of an earlier order. */
function fillAnew(objects: readonly CaseObject[]): Inventory {
  return objects.reduce((inventory, one) => applyChange(inventory, { type: "upsert", object: admitAgain(one) }), emptyInventory(CONFIG_CLUSTER));
}

function check(input: CaseInput): void {
  const expected = contentsOf(buildCase(input, input.inventory).edition);
  const shuffled = fc.shuffledSubarray([...input.objects], { minLength: input.objects.length });
  const property = fc.property(shuffled, (objects) => {
    assert.deepEqual(contentsOf(buildCase(input, fillAnew(objects)).edition), expected);
  });
  holds(property, 2, 100);
}

for (const name of caseNames()) {
  test(`${name}: objects in any order, their ages given, make one edition`, () => check(readCaseInput(name)));
}
