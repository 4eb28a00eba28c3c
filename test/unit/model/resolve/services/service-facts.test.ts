import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint, WorkloadFacts } from "#core/model/endpoint.ts";
import { workloadTraits } from "#core/model/resolve/registry/workload-traits.ts";
import { serviceFacts } from "#core/model/resolve/services/service-facts.ts";
import { httpPort, service } from "#test/support/scope.ts";

const SLICE = { cluster: "Kubernetes", kind: "EndpointSlice", namespace: "shop", name: "a-1" };

const endpoint = {
  address: "10.3.0.3",
  port: { number: 80, servicePort: 80, servicePortName: "http", listedBy: SLICE },
  workload: { serviceAccount: "", tlsMode: "disabled", labels: {}, traits: workloadTraits({}), sources: [] },
} as unknown as Endpoint;

const on = (fields: Partial<WorkloadFacts>): Endpoint => {
  const workload = { ...endpoint.workload, ...fields };
  return { ...endpoint, workload: { ...workload, traits: workloadTraits(workload.labels) } };
};

test("a headless service has the endpoints of others of its host, whichever comes first", () => {
  const headless = service("a.com", { resolution: "passthrough", ports: [httpPort(80)] });
  const other = service("a.com", { resolution: "client-side", ports: [httpPort(80)] });
  for (const services of [
    [headless, other],
    [other, headless],
  ])
    assert.deepEqual(serviceFacts(services, [endpoint]).ports[80]?.addresses, [{ address: "10.3.0.3", sources: [SLICE] }]);
  assert.deepEqual(serviceFacts([other], [endpoint]).ports[80]?.addresses, []);
});

test("a port whose endpoints all take tunnels says so, waypoints do not count", () => {
  const of = [service("a.com", { ports: [httpPort(80)] })];
  const tunnelled = on({ labels: { "networking.istio.io/tunnel": "http" } });
  const waypoint = on({ labels: { "gateway.istio.io/managed": "istio.io-mesh-controller" } });
  assert.equal(serviceFacts(of, [tunnelled, tunnelled]).ports[80]?.allTakeTunnels, true);
  assert.equal(serviceFacts(of, [tunnelled, waypoint]).ports[80]?.allTakeTunnels, undefined);
});

test("of each fact one endpoint bears it out: the first with an identity, the first that has no mTLS", () => {
  const of = [service("a.com", { ports: [httpPort(80)] })];
  const pod = (name: string) => ({ cluster: "Kubernetes", kind: "Pod", namespace: "shop", name });
  const one = (name: string, fields: Partial<WorkloadFacts>): Endpoint => on({ sources: [pod(name)], tlsMode: "istio", ...fields });
  const [a, b, c] = [one("a", { serviceAccount: "x" }), one("b", { serviceAccount: "x", tlsMode: "disabled" }), one("c", { serviceAccount: "y" })];
  const facts = serviceFacts(of, [a, b, c]);
  assert.deepEqual(facts.identities, ["x", "y"]);
  assert.deepEqual(facts.sources, [SLICE, pod("a"), pod("c")]);
  assert.deepEqual(facts.ports[80]?.sources, [SLICE, pod("b")]);
  assert.deepEqual(serviceFacts(of, [a, c]).ports[80]?.sources, [SLICE, pod("a")]);
});
