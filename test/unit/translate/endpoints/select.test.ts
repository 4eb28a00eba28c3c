import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "#core/translate/endpoints/assignment-spec.ts";
import { selectEndpoints } from "#core/translate/endpoints/select.ts";
import { endpoint, HERE, serviceEndpoints, specOf } from "./support.ts";

function selected(endpoints: readonly Endpoint[], spec: AssignmentSpec = specOf(), vantage: Vantage = HERE): readonly string[] {
  return selectEndpoints(serviceEndpoints(endpoints), spec, vantage).map(({ address }) => address);
}

test("endpoints join a Service's port by its name alone, since its number may differ between clusters", () => {
  const endpoints = [endpoint("10.0.0.1"), endpoint("10.0.0.2", { servicePortName: "other" }), endpoint("10.0.0.3", { servicePort: 81 })];
  assert.deepEqual(selected(endpoints), ["10.0.0.1", "10.0.0.3"]);
});

test("where ServiceEntries use one port name for two numbers, each port has its own endpoints (unlike istio/istio#50478)", () => {
  const endpoints = [endpoint("10.0.0.1", { servicePort: 80 }), endpoint("10.0.0.2", { servicePort: 81 }), endpoint("10.0.0.3")];
  assert.deepEqual(selected(endpoints, specOf({ service: { registry: "External" } })), ["10.0.0.1", "10.0.0.3"]);
});

test("embedded assignments join by number, and by name where none is said", () => {
  const endpoints = [
    endpoint("10.0.0.1", { servicePort: 80, servicePortName: "x" }),
    endpoint("a.example.com"),
    endpoint("10.0.0.3", { servicePort: 81 }),
  ];
  assert.deepEqual(selected(endpoints, specOf({}, { join: "number" })), ["10.0.0.1", "a.example.com"]);
});

test("embedded assignments join by the first name of a port that finds any, where Services of the host call it otherwise", () => {
  const endpoints = [endpoint("10.0.0.1", { servicePortName: "web" }), endpoint("10.0.0.2", { servicePortName: "other" })];
  assert.deepEqual(selected(endpoints, specOf({}, { join: "number", portNames: ["none", "web", "other"] })), ["10.0.0.1"]);
});

test("host names are left out of discovery, sockets and endpoints that a gateway stands for are not", () => {
  assert.deepEqual(selected([endpoint("a.example.com"), endpoint("/run/a.sock", { port: 0 }), endpoint("")]), ["/run/a.sock", ""]);
});

test("a subset has the endpoints with all of its labels", () => {
  const endpoints = [endpoint("10.0.0.1", { labels: { v: "1", app: "web" } }), endpoint("10.0.0.2", { labels: { v: "2" } }), endpoint("10.0.0.3")];
  assert.deepEqual(selected(endpoints, specOf({}, { subsetLabels: { v: "1" } })), ["10.0.0.1"]);
});

test("endpoints that are not ready are sent where they count as unhealthy, draining ones where sessions stick, terminating ones never", () => {
  const endpoints = [
    endpoint("10.0.0.1", { health: "unhealthy" }),
    endpoint("10.0.0.2", { health: "draining" }),
    endpoint("10.0.0.3", { health: "terminating" }),
    endpoint("10.0.0.4", { labels: { "istio.io/draining": "true" } }),
    endpoint("10.0.0.5"),
  ];
  assert.deepEqual(selected(endpoints), ["10.0.0.1", "10.0.0.5"]);
  assert.deepEqual(selected(endpoints, specOf({}, { sendsUnhealthy: false })), ["10.0.0.5"]);
  const sticky = specOf({ service: { labels: { "istio.io/persistent-session": "cookie" } } });
  assert.deepEqual(selected(endpoints, sticky), ["10.0.0.1", "10.0.0.2", "10.0.0.4", "10.0.0.5"]);
});

test("a Service that is local to nodes has the endpoints of the client's node in its cluster, one local to clusters those of its cluster", () => {
  const endpoints = [
    endpoint("10.0.0.1", { nodeName: "n1" }),
    endpoint("10.0.0.2", { nodeName: "n2" }),
    endpoint("10.0.0.3", { nodeName: "n1", cluster: "c2" }),
  ];
  assert.deepEqual(selected(endpoints, specOf({ service: { nodeLocal: true } }), { ...HERE, nodeName: "n1" }), ["10.0.0.1"]);
  assert.deepEqual(selected(endpoints, specOf({ service: { nodeLocal: true } })), []);
  assert.deepEqual(selected(endpoints, specOf({ service: { clusterLocal: true } })), ["10.0.0.1", "10.0.0.2"]);
});

test("a client that asks for certain networks sees these, and what belongs to no network", () => {
  const endpoints = [endpoint("10.0.0.1", { network: "a" }), endpoint("10.0.0.2", { network: "b" }), endpoint("10.0.0.3")];
  assert.deepEqual(selected(endpoints, specOf(), { ...HERE, networkView: ["a"] }), ["10.0.0.1", "10.0.0.3"]);
});
