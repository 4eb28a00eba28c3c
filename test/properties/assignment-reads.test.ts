import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "#core/translate/endpoints/assignment-spec.ts";
import { assignmentReads } from "#core/translate/endpoints.ts";
import { assign, endpoint, HERE, specOf } from "#test/unit/translate/endpoints/support.ts";

/** Clients that agree in what an assignment reads are answered alike: one answer is then made for all of them. */

const place = fc.constantFrom("r1/z1/s1", "r1/z1/s2", "r1/z2/s1", "r2/z1/s1", "r3/z1/s1");
const value = fc.constantFrom("1", "2");
const labels = fc.record({ v: value, w: value });
const region = fc.constantFrom("r1", "r2", "r3");
const failover = fc.array(fc.record({ from: region, to: region }), { maxLength: 1 });
const failoverPriority = fc.array(fc.constantFrom("v", "w", "v=1", "w=2"), { maxLength: 3 });
const distribute = fc.array(fc.record({ from: place, to: fc.dictionary(place, fc.nat({ max: 100 })) }), { maxLength: 2 });

const locality: fc.Arbitrary<AssignmentSpec["locality"]> = fc.oneof(
  fc.constant(undefined),
  fc.record({ kind: fc.constant("locality" as const), setting: fc.record({ distribute, failover, failoverPriority }), failover: fc.boolean() }),
  fc.record({ kind: fc.constant("zone-aware" as const), setting: fc.record({ enabled: fc.boolean(), failover, failoverPriority }) }),
);

const nodeName = fc.constantFrom("n1", "n2");
const endpoints = fc.array(
  fc.record({ locality: place, labels, nodeName }).map((fields) => endpoint(`10.0.0.${fields.labels.v}`, fields)),
  { maxLength: 6 },
);

const client = fc.record({ place, labels, nodeName }).map(({ place: at, ...rest }): Vantage => {
  const [first = "", zone = "", subzone = ""] = at.split("/");
  return { ...HERE, ...rest, locality: { region: first, zone, subzone } };
});

/** A client that is like `one` in everything that is read, and like `other` in all else. */
function mixed(assignment: AssignmentSpec, one: Vantage, other: Vantage): Vantage {
  const reads = assignmentReads(assignment);
  const own = Object.entries(one.labels ?? {}).filter(([key]) => reads.labels.includes(key));
  return {
    ...other,
    labels: { ...other.labels, ...Object.fromEntries(own) },
    ...(reads.locality && one.locality ? { locality: one.locality } : {}),
    ...(reads.nodeName && one.nodeName ? { nodeName: one.nodeName } : {}),
  };
}

const spec = fc.record({ locality, nodeLocal: fc.boolean(), ranksByLabels: fc.boolean() }).map(({ locality: setting, ...fields }): AssignmentSpec => {
  const { locality: _, ...plain } = specOf({}, fields);
  return setting === undefined ? plain : { ...plain, locality: setting };
});

test("an assignment looks at nothing of its client but what it says that it reads", () => {
  fc.assert(
    fc.property(spec, endpoints, fc.tuple(client, client), (one, members, [asking, other]) => {
      assert.deepEqual(assign(one, members, mixed(one, asking, other)), assign(one, members, asking));
    }),
    { numRuns: 500 },
  );
});
