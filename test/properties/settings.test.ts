import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type { Directory } from "#core/node/directory.ts";
import { findFacts } from "#core/node/find-facts.ts";
import { readNodeMessage } from "#core/node/message.ts";
import { CASES, caseNames } from "#test/oracle/cases.ts";
import { type CaseInput, readCaseInput } from "#test/support/case-input.ts";
import { anyDeed, garbled } from "#test/support/edits.ts";
import { worldOf } from "#test/support/isolation.ts";
import { readOracleCase } from "#test/support/oracle-case.ts";
import { holds, shard } from "#test/support/thorough.ts";

/** Whatever mesh config, mesh networks or a node say, nothing throws, and what can be understood is placed. */

const NOBODY: Directory = { entries: [], byName: () => undefined, byAddress: () => undefined };

const edits = fc.array(fc.record({ place: fc.nat(), deed: anyDeed }), { minLength: 1, maxLength: 3 });
const dialects = fc.constantFrom("istio-proxy" as const, "envoy" as const, "grpc" as const);

function checkSettings(input: CaseInput, field: "meshConfig" | "networks"): void {
  const property = fc.property(edits, (done) => {
    const options = { ...input.options, [field]: done.reduce(garbled, input.options[field]) };
    assert.equal(worldOf({ ...input, options }, input.inventory).nodes.length, input.census.length);
  });
  holds(property, 4, 400);
}

function checkNodes(name: string): void {
  const input = readCaseInput(name);
  const { nodes } = readOracleCase(join(CASES, name));
  const property = fc.property(fc.nat(), edits, dialects, (which, done, dialect) => {
    const message = readNodeMessage(done.reduce(garbled, nodes[which % nodes.length]?.node));
    if ("error" in message) return;
    const understood = !("error" in findFacts(message, NOBODY, dialect));
    assert.equal(worldOf({ ...input, census: [{ node: message, dialect }] }, input.inventory).nodes.length, understood ? 1 : 0);
  });
  holds(property, 3, 300);
}

for (const name of shard(caseNames())) {
  const input = readCaseInput(name);
  if (input.options.meshConfig !== undefined) test(`${name}: any mesh config is survived`, () => checkSettings(input, "meshConfig"));
  if (input.options.networks !== undefined) test(`${name}: any mesh networks are survived`, () => checkSettings(input, "networks"));
  if (input.census.length > 0) test(`${name}: any node is survived`, () => checkNodes(name));
}
