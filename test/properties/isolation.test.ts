import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatObjectKey } from "#core/lib/object-key.ts";
import type { Dialect } from "#core/node/facts.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { readCaseInput } from "#test/support/case-input.ts";
import { anyDeed, anyEdit, type Edit, type Edited, perform, placesIn } from "#test/support/edits.ts";
import { leaks, unnamed, worldOf } from "#test/support/isolation.ts";
import { holds, isThorough, samples, shard } from "#test/support/thorough.ts";

/**
 * Whatever is dropped, duplicated or garbled in any object of any case: nothing throws, and what nodes are sent changes only where a resource says that it was
 * made from the object (test/support/isolation.ts says what counts for its coming and going), or where placement read it. A Diagnostic names an object that is
 * refused, and one of which Envoy would refuse what is made.
 */
function checker(name: string, dialect: Dialect): (edit: Edit) => void {
  const input = readCaseInput(name, dialect);
  const base = worldOf(input, input.inventory);
  return (edit) => {
    const edited = perform(input.inventory, input, edit);
    assert.deepEqual(unsaid(edited), [], edited.what);
    if (edited.inventory.shelves === input.inventory.shelves) return;
    const after = worldOf(input, edited.inventory, base);
    assert.deepEqual(leaks(base, after, edited.touched), [], edited.what);
    if (dialect !== "grpc") assert.deepEqual(unnamed(base, after, edited.touched), [], edited.what);
  };
}

/** What admission refused without a word. */
function unsaid({ refused, diagnostics }: Edited): readonly string[] {
  const named = new Set(diagnostics.flatMap((one) => (one.refused ? [formatObjectKey(one.key)] : [])));
  return refused.filter((id) => !named.has(id));
}

function check(name: string, dialect: Dialect, few: number, many: number): void {
  const checkEdit = checker(name, dialect);
  holds(fc.property(anyEdit, checkEdit), few, many);
}

/** One deed to each field of each object. */
function checkEveryField(name: string): void {
  const { documents } = readCaseInput(name);
  const checkEdit = checker(name, "istio-proxy");
  const places = documents.flatMap(({ document }, object) => Array.from({ length: placesIn(document.value) }, (_, place) => ({ object, place })));
  const deeds = samples(anyDeed, 0, places.length);
  for (const [at, place] of places.entries()) checkEdit({ ...place, deed: deeds[at] as Edit["deed"] });
}

for (const name of shard(caseNames())) {
  test(`${name}: a garbled object changes only what was made from it`, () => {
    check(name, "istio-proxy", 8, 400);
    check(name, "envoy", 2, 200);
    check(name, "grpc", 2, 200);
  });
  if (isThorough) test(`${name}: so it is with every field`, () => checkEveryField(name));
}
