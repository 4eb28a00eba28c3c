import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { found } from "./support.ts";

describe("EnvoyFilters", () => {
  const patch = (applyTo: string, operation: string, more = "") =>
    `{applyTo: ${applyTo}, match: {listener: {filterChain: {filter: {name: envoy.filters.network.http_connection_manager}}}${more}}, patch: {operation: ${operation}, value: {name: x}}}`;
  const codes = (patches: readonly string[], priority = 0) =>
    found(`
apiVersion: networking.istio.io/v1alpha3
kind: EnvoyFilter
metadata: {name: f, namespace: shop}
spec: {priority: ${priority}, configPatches: [${patches.join(", ")}]}
`);
  const at = (index: number) => `EnvoyFilter shop/f spec.configPatches[${index}].patch.operation`;

  test("need a priority for what depends on others", () => {
    assert.deepEqual(codes([patch("HTTP_FILTER", "INSERT_BEFORE")]), [`IST0151 warning ${at(0)}`]);
    assert.deepEqual(codes([patch("HTTP_FILTER", "INSERT_BEFORE")], 10), []);
    assert.deepEqual(codes([patch("HTTP_FILTER", "INSERT_FIRST")]), []);
    assert.deepEqual(codes([patch("HTTP_FILTER", "MERGE")]), []);
  });

  test("that are for certain proxies make it worse", () => {
    const versioned = patch("HTTP_FILTER", "INSERT_FIRST", ", proxy: {proxyVersion: ^1.31}");
    assert.deepEqual(codes([versioned, patch("HTTP_FILTER", "INSERT_AFTER")]), [`IST0155 warning ${at(1)}`]);
  });

  test("replace filters and virtual hosts alone, and don't add or remove parts of routes", () => {
    const route = (operation: string) => `{applyTo: HTTP_ROUTE, patch: {operation: ${operation}, value: {name: x}}}`;
    assert.deepEqual(codes([`{applyTo: CLUSTER, patch: {operation: REPLACE, value: {name: x}}}`]), [`IST0152 error ${at(0)}`]);
    assert.deepEqual(codes([route("ADD")]), [`IST0153 error ${at(0)}`]);
    assert.deepEqual(codes([route("REMOVE")]), [`IST0154 error ${at(0)}`]);
  });
});

test("mesh networks name clusters that are known", () => {
  const networks = (fromRegistry: string) => ({ networks: { north: { endpoints: [{ fromRegistry }] } } });
  const service = "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: b}\nspec: {ports: [{name: http, port: 80}]}\n";
  const secret =
    "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: istio-system, labels: {istio/multiCluster: 'true'}}\ndata: {remote: eA==}\n";
  assert.deepEqual(found("", { networks: networks("Kubernetes") }), []);
  assert.deepEqual(found("", { networks: networks("far"), clusters: { far: service } }), []);
  assert.deepEqual(found(secret, { networks: networks("remote") }), []);
  assert.deepEqual(found("", { networks: networks("gone") }), ["IST0126 error MeshNetworks meshnetworks networks.north.endpoints"]);
});

describe("bad news in an object's status", () => {
  const condition = (type: string, status: string) => `{type: ${type}, status: "${status}", reason: R, message: m}`;

  test("is passed on", () => {
    const route = (conditions: string) => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: shop}
status: {parents: [{conditions: [${conditions}]}]}
`;
    assert.deepEqual(found(route(`${condition("Accepted", "True")}, ${condition("ResolvedRefs", "False")}`)), [
      "IST0171 warning HTTPRoute shop/r status.parents[0].conditions[1]",
    ]);
    const gateway = route(condition("Programmed", "False"))
      .replace("HTTPRoute", "Gateway")
      .replace("{parents: [{conditions: ", "{conditions: ")
      .replace("]}]}", "]}");
    assert.deepEqual(found(gateway), ["IST0171 warning KubernetesGateway shop/r status.conditions[0]"]);
    assert.deepEqual(found(route(condition("Other", "False"))), []);
  });
});

test("deprecated fields are told of", () => {
  const text = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {ports: [{name: http, port: 80}]}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v, namespace: shop}
spec: {hosts: [a.example.com], http: [{fault: {delay: {percent: 5, fixedDelay: 1s}}, route: [{destination: {host: web}}]}]}
---
apiVersion: networking.istio.io/v1
kind: Sidecar
metadata: {name: s, namespace: shop}
spec: {outboundTrafficPolicy: {mode: ALLOW_ANY, egressProxy: {host: proxy.shop.svc.cluster.local, port: {number: 80}}}, egress: [{hosts: ["./*"]}]}
`;
  assert.deepEqual(found(text), [
    "IST0002 warning Sidecar shop/s spec.outboundTrafficPolicy.egressProxy",
    "IST0002 warning VirtualService shop/v spec.http[0].fault.delay.percent",
  ]);
});
