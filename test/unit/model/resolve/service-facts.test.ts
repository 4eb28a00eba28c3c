import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "#core/model/endpoint.ts";
import { serviceFacts } from "#core/model/resolve/service-facts.ts";
import { httpPort, service } from "#test/support/scope.ts";

const endpoint = {
  address: "10.3.0.3",
  servicePort: 80,
  servicePortName: "http",
  serviceAccount: "",
  tlsMode: "disabled",
  labels: {},
  sources: [] as const,
} as unknown as Endpoint;

test("a headless service has the endpoints of others of its host, whichever comes first", () => {
  const headless = service("a.com", { resolution: "passthrough", ports: [httpPort(80)] });
  const other = service("a.com", { resolution: "client-side", ports: [httpPort(80)] });
  for (const services of [
    [headless, other],
    [other, headless],
  ])
    assert.deepEqual(serviceFacts(services, [endpoint]).ports[80]?.addresses, [{ address: "10.3.0.3", sources: [] }]);
  assert.deepEqual(serviceFacts([other], [endpoint]).ports[80]?.addresses, []);
});

test("a port whose endpoints all take tunnels says so, waypoints do not count", () => {
  const of = [service("a.com", { ports: [httpPort(80)] })];
  const tunnelled = { ...endpoint, labels: { "networking.istio.io/tunnel": "http" } };
  const waypoint = { ...endpoint, labels: { "gateway.istio.io/managed": "istio.io-mesh-controller" } };
  assert.equal(serviceFacts(of, [tunnelled, tunnelled]).ports[80]?.allTakeTunnels, true);
  assert.equal(serviceFacts(of, [tunnelled, waypoint]).ports[80]?.allTakeTunnels, undefined);
});
