import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Edition } from "#core/edition/edition.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { emptyInventory, replaceAll } from "#core/sources/inventory.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { buildCase, contentsOf } from "#test/support/case-build.ts";
import { admitDocuments, type CaseDocument, type CaseInput, CONFIG_CLUSTER, dated, readCaseInput } from "#test/support/case-input.ts";
import { holds, shard } from "#test/support/thorough.ts";

/** Reads and compiles the documents anew, so that nothing is found that was remembered of an earlier order. */
function compileAnew(input: CaseInput, documents: readonly CaseDocument[]): Edition {
  let inventory = emptyInventory(CONFIG_CLUSTER);
  const admission: Diagnostic[] = [];
  for (const [cluster, own] of groupBy(documents, (one) => one.cluster)) {
    const admitted = admitDocuments(own.map(dated), cluster);
    inventory = replaceAll(inventory, cluster, admitted);
    admission.push(...admitted.diagnostics);
  }
  return buildCase({ ...input, admission }, inventory).edition;
}

/** A list in any order. */
function shuffled<T>(list: readonly T[]): fc.Arbitrary<readonly T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length });
}

function check(input: CaseInput): void {
  const expected = contentsOf(buildCase({ ...input, admission: input.diagnostics }, input.inventory).edition);
  // Of two nodes of one id the later counts.
  const unlike = new Set(input.census.map(({ node }) => node.id)).size === input.census.length;
  const nodes = unlike ? shuffled(input.census) : fc.constant(input.census);
  const property = fc.property(shuffled(input.documents), nodes, (documents, census) => {
    assert.deepEqual(contentsOf(compileAnew({ ...input, census }, documents)), expected);
  });
  holds(property, 2, 100);
}

for (const name of shard(caseNames())) {
  test(`${name}: objects and nodes in any order, the ages of objects given, make one edition`, () => check(readCaseInput(name)));
}
