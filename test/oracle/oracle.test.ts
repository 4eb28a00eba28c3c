import assert from "node:assert/strict";
import { test } from "node:test";
import { caseNames } from "./cases.ts";
import { countCase, readRatchet } from "./ratchet.ts";
import { wantedDifferences } from "./wanted.ts";

/** Areas whose every resource must be equal but for wanted differences (`own` holds this project's cases, made with the oracle's tool); in the others the ratchet alone counts, since their translation comes with later work. */
const WHOLE = /^(routing|discovery|own)\//;

const ratchet = readRatchet();

for (const name of caseNames()) {
  test(`oracle ${name}`, () => {
    const { equal, differing } = countCase(name);
    assert.ok(equal >= (ratchet[name]?.equal ?? 0), `${equal} resources are equal to istiod's, the ratchet stands at ${ratchet[name]?.equal}`);
    if (WHOLE.test(name))
      assert.deepEqual(differing, wantedDifferences(name), "not every resource is equal: see node --import tsx test/oracle/run.ts");
  });
}
