import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionPool, TrafficPolicy } from "#core/model/traffic-policy.ts";
import { effectivePolicy } from "#core/translate/policy/effective.ts";
import { destinationRule } from "#test/support/scope.ts";

const pool = (maxConnections: number): ConnectionPool => ({ tcp: { maxConnections } });
const RANDOM = { simple: "RANDOM" } as const;

function policy(fields: Partial<TrafficPolicy>): TrafficPolicy {
  return { portLevelSettings: [], ...fields };
}

function rule(top: TrafficPolicy | undefined, subset?: TrafficPolicy) {
  return destinationRule("web", { ...(top && { policy: top }), subsets: [{ name: "v1", labels: {}, ...(subset && { policy: subset }) }] });
}

test("a setting for a port replaces the rule's policy as a whole", () => {
  const top = policy({ connectionPool: pool(1), proxyProtocol: { version: "V2" }, portLevelSettings: [{ port: 80, loadBalancer: RANDOM }] });
  const atPort = effectivePolicy(rule(top), 80);
  assert.deepEqual([atPort.connectionPool, atPort.loadBalancer, atPort.proxyProtocol], [undefined, RANDOM, undefined]);
  assert.deepEqual(effectivePolicy(rule(top), 90).connectionPool, pool(1));
});

test("the first setting of a port counts", () => {
  const portLevelSettings = [
    { port: 80, connectionPool: pool(1) },
    { port: 80, connectionPool: pool(2) },
  ];
  assert.deepEqual(effectivePolicy(rule(policy({ portLevelSettings })), 80).connectionPool, pool(1));
});

test("a subset replaces the blocks that it names", () => {
  const top = policy({ connectionPool: pool(1), loadBalancer: RANDOM, proxyProtocol: { version: "V1" } });
  const merged = effectivePolicy(rule(top, policy({ connectionPool: pool(2) })), 80, "v1");
  assert.deepEqual([merged.connectionPool, merged.loadBalancer, merged.proxyProtocol], [pool(2), RANDOM, { version: "V1" }]);
});

test("a subset's setting for the port replaces all four blocks, also by nothing, and leaves the others", () => {
  const top = policy({ connectionPool: pool(1), loadBalancer: RANDOM, proxyProtocol: { version: "V1" } });
  const subset = policy({ connectionPool: pool(9), portLevelSettings: [{ port: 80, connectionPool: pool(2) }] });
  const merged = effectivePolicy(rule(top, subset), 80, "v1");
  assert.deepEqual([merged.connectionPool, merged.loadBalancer, merged.proxyProtocol], [pool(2), undefined, { version: "V1" }]);
});

test("mesh defaults fill blocks that the rule leaves open, but not those that a subset's port setting wiped", () => {
  const defaults = { connectionPool: pool(7) };
  assert.deepEqual(effectivePolicy(undefined, 80, "", defaults).connectionPool, pool(7));
  assert.deepEqual(effectivePolicy(rule(policy({ loadBalancer: RANDOM })), 80, "", defaults).connectionPool, pool(7));
  assert.deepEqual(effectivePolicy(rule(policy({ connectionPool: pool(1) })), 80, "", defaults).connectionPool, pool(1));
  const wiping = policy({ portLevelSettings: [{ port: 80, loadBalancer: RANDOM }] });
  assert.equal(effectivePolicy(rule(undefined, wiping), 80, "v1", defaults).connectionPool, undefined);
});

test("a subset that the rule doesn't have adds nothing", () => {
  assert.deepEqual(effectivePolicy(rule(policy({ connectionPool: pool(1) })), 80, "v9").connectionPool, pool(1));
});
