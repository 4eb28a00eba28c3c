import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint, WorkloadFacts } from "#core/model/endpoint.ts";
import type { LocalityLb, ZoneAware } from "#core/model/traffic-policy.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "#core/translate/endpoints/assignment-spec.ts";
import { assignmentReads } from "#core/translate/endpoints.ts";
import { assign, endpoint, groupsOf, HERE, specOf } from "./support.ts";

const NOTHING_SET: LocalityLb = { distribute: [], failover: [], failoverPriority: [] };

function located(setting: Partial<LocalityLb>, failover = true): AssignmentSpec {
  return specOf({}, { locality: { kind: "locality", setting: { ...NOTHING_SET, ...setting }, failover } });
}

function zoneAware(setting: Partial<ZoneAware>): AssignmentSpec {
  return specOf({}, { locality: { kind: "zone-aware", setting: { failover: [], failoverPriority: [], ...setting } } });
}

function at(address: string, locality: string, fields: Partial<WorkloadFacts & Pick<Endpoint, "weight">> = {}): Endpoint {
  return endpoint(address, { locality, ...fields });
}

const FROM: Vantage = { ...HERE, locality: { region: "r1", zone: "z1", subzone: "s1" } };
const SPREAD = [at("10.0.0.1", "r1/z1/s1"), at("10.0.0.2", "r1/z1/s2"), at("10.0.0.3", "r1/z2"), at("10.0.0.4", "r2/z1"), at("10.0.0.5", "r3")];

test("groups are in order of locality, and weigh what their members weigh", () => {
  const endpoints = [at("10.0.0.1", "r2"), at("10.0.0.2", "r1", { weight: 5 }), at("10.0.0.3", "r1")];
  assert.deepEqual(groupsOf(assign(specOf(), endpoints)), ["r1 0 6: 10.0.0.2*5 10.0.0.3", "r2 0 1: 10.0.0.1"]);
});

test("failover ranks by nearness, without gaps between the priorities", () => {
  assert.deepEqual(groupsOf(assign(located({}), SPREAD, FROM)), [
    "r1/z1/s1 0 1: 10.0.0.1",
    "r1/z1/s2 1 1: 10.0.0.2",
    "r1/z2 2 1: 10.0.0.3",
    "r2/z1 3 1: 10.0.0.4",
    "r3 3 1: 10.0.0.5",
  ]);
  assert.deepEqual(groupsOf(assign(located({}), SPREAD.slice(2, 4), FROM)), ["r1/z2 0 1: 10.0.0.3", "r2/z1 1 1: 10.0.0.4"]);
});

test("the region that a failover names comes before all others", () => {
  assert.deepEqual(groupsOf(assign(located({ failover: [{ from: "r1", to: "r3" }] }), SPREAD.slice(3), FROM)), [
    "r2/z1 1 1: 10.0.0.4",
    "r3 0 1: 10.0.0.5",
  ]);
});

test("nothing is ranked where failover would never happen", () => {
  const groups = groupsOf(assign(located({ failoverPriority: ["v"] }, false), SPREAD, FROM));
  assert.ok(groups.every((line) => / 0 1: /.test(line)));
});

test("shares go to the localities that an entry names, the first that fits; others are emptied", () => {
  const shares = [
    { from: "r1/z1/*", to: { "r1/z1/*": 80, "r2/*": 20 } },
    { from: "*", to: { r3: 100 } },
  ];
  assert.deepEqual(groupsOf(assign(located({ distribute: shares }), SPREAD, FROM)), [
    "r1/z1/s1 0 40: 10.0.0.1",
    "r1/z1/s2 0 40: 10.0.0.2",
    "r1/z2 0 1:",
    "r2/z1 0 20: 10.0.0.4",
    "r3 0 1:",
  ]);
});

test("shares change nothing for clients that no entry is for", () => {
  const spec = located({ distribute: [{ from: "r9", to: { r1: 100 } }] });
  assert.deepEqual(groupsOf(assign(spec, SPREAD.slice(4), FROM)), ["r3 0 1: 10.0.0.5"]);
});

const LABELLED = [
  at("10.0.0.1", "r1", { labels: { v: "1", w: "1" } }),
  at("10.0.0.2", "r1", { labels: { v: "1", w: "2" } }),
  at("10.0.0.3", "r2", { labels: { v: "2", w: "1" } }),
];

test("labels rank by how many agree before the first difference; a locality splits, wherever its endpoints are", () => {
  const spec = located({ failoverPriority: ["v", "w"] });
  assert.deepEqual(groupsOf(assign(spec, LABELLED, { ...HERE, labels: { v: "1", w: "1" } })), [
    "r1 0 1: 10.0.0.1",
    "r1 1 1: 10.0.0.2",
    "r2 2 1: 10.0.0.3",
  ]);
});

test("a pinned value stands for the client's own", () => {
  const spec = located({ failoverPriority: ["v=2", "w"] });
  assert.deepEqual(groupsOf(assign(spec, LABELLED, { ...HERE, labels: { v: "1", w: "1" } })), ["r1 1 2: 10.0.0.1 10.0.0.2", "r2 0 1: 10.0.0.3"]);
});

test("another network, where it leads the list, only puts an endpoint behind all others", () => {
  const key = "topology.istio.io/network";
  const endpoints = [at("10.0.0.1", "", { labels: { [key]: "b", v: "1" } }), at("10.0.0.2", "", { labels: { [key]: "a", v: "2" } })];
  const spec = located({ failoverPriority: [key, "v"] });
  assert.deepEqual(groupsOf(assign(spec, endpoints, { ...HERE, labels: { [key]: "a", v: "1" } })), ["0 1: 10.0.0.2", "1 1: 10.0.0.1"]);
});

test("labels are ranked before regions, where a failover is given too; embedded clusters of subsets pass over labels", () => {
  const both = { failoverPriority: ["v"], failover: [{ from: "r1", to: "r2" }] };
  const client = { ...FROM, labels: { v: "2" } };
  assert.deepEqual(groupsOf(assign(located(both), LABELLED, client)), ["r1 1 2: 10.0.0.1 10.0.0.2", "r2 0 1: 10.0.0.3"]);
  assert.deepEqual(groupsOf(assign({ ...located(both), ranksByLabels: false }, LABELLED, client)), ["r1 0 2: 10.0.0.1 10.0.0.2", "r2 1 1: 10.0.0.3"]);
});

test("zone-aware balancing has the whole region as its first priority, then the one that it fails over to", () => {
  assert.deepEqual(groupsOf(assign(zoneAware({ failover: [{ from: "r1", to: "r3" }] }), SPREAD, FROM)), [
    "r1/z1/s1 0 1: 10.0.0.1",
    "r1/z1/s2 0 1: 10.0.0.2",
    "r1/z2 0 1: 10.0.0.3",
    "r2/z1 2 1: 10.0.0.4",
    "r3 1 1: 10.0.0.5",
  ]);
  assert.ok(groupsOf(assign(zoneAware({ enabled: false }), SPREAD, FROM)).every((line) => / 0 1: /.test(line)));
});

test("what an assignment reads of its client is exactly what can change it", () => {
  const reads = (spec: AssignmentSpec): readonly unknown[] => {
    const { locality, nodeName, labels } = assignmentReads(spec);
    return [locality, nodeName, labels.join()];
  };
  assert.deepEqual(reads(specOf()), [false, false, ""]);
  assert.deepEqual(reads(specOf({ service: { nodeLocal: true } })), [false, true, ""]);
  assert.deepEqual(reads(located({})), [true, false, ""]);
  assert.deepEqual(reads(located({}, false)), [false, false, ""]);
  assert.deepEqual(reads(located({ distribute: [{ from: "*", to: { r1: 100 } }] }, false)), [true, false, ""]);
  assert.deepEqual(reads(located({ failoverPriority: ["w", "v=1", "a"] })), [false, false, "a,w"]);
  assert.deepEqual(reads(located({ failoverPriority: ["w"], failover: [{ from: "r1", to: "r2" }] })), [true, false, "w"]);
  assert.deepEqual(reads({ ...located({ failoverPriority: ["w"] }), ranksByLabels: false }), [false, false, ""]);
  assert.deepEqual(reads(zoneAware({ failoverPriority: ["w"] })), [true, false, "w"]);
  assert.deepEqual(reads(zoneAware({ enabled: false })), [false, false, ""]);
});
