import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Dialect } from "#core/node/facts.ts";
import type { Build } from "#core/pipeline/build.ts";
import { applyChange, emptyInventory, type Inventory } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { buildCase, contentsOf } from "#test/support/case-build.ts";
import { type CaseInput, CONFIG_CLUSTER, readCaseInput } from "#test/support/case-input.ts";
import { anyEdit, perform } from "#test/support/edits.ts";
import { holds, shard } from "#test/support/thorough.ts";

/** Building change by change gives what building the last state at once gives: layers, rules, directory, inventory, edition. */

/** The same objects, none of which anybody has seen before. */
function afresh(inventory: Inventory): Inventory {
  const objects = Object.values(inventory.shelves).flat() as readonly SourceObject[];
  return objects.reduce((result, object) => applyChange(result, { type: "upsert", object: structuredClone(object) }), emptyInventory(CONFIG_CLUSTER));
}

/** Addresses that were allocated on the way are given. */
function atOnce({ options, census }: CaseInput, last: Build): Build {
  return buildCase(
    { options: { ...options, allocations: last.mesh.options.allocations ?? {} }, census, allocate: false },
    afresh(last.input.inventory),
  );
}

const dialects = fc.constantFrom<Dialect>("istio-proxy", "istio-proxy", "envoy", "grpc");

function check(name: string): void {
  const firsts = new Map<Dialect, { readonly input: CaseInput; readonly first: Build }>();
  const firstIn = (dialect: Dialect): { readonly input: CaseInput; readonly first: Build } => {
    const input = readCaseInput(name, dialect);
    return { input, first: buildCase(input, input.inventory) };
  };
  const property = fc.property(dialects, fc.array(anyEdit, { minLength: 3, maxLength: 6 }), (dialect, edits) => {
    const { input, first } = firsts.get(dialect) ?? firstIn(dialect);
    firsts.set(dialect, { input, first });
    let last = first;
    const done: string[] = [];
    for (const edit of edits) {
      const { inventory, what } = perform(last.input.inventory, input, edit);
      done.push(what);
      last = buildCase(input, inventory, last);
    }
    assert.deepEqual(contentsOf(last.edition), contentsOf(atOnce(input, last).edition), done.join("; "));
  });
  holds(property, 1, 50);
}

for (const name of shard(caseNames())) {
  test(`${name}: change by change equals all at once`, () => check(name));
}
