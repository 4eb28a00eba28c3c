import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "#core/model/endpoint.ts";
import type { Service } from "#core/model/service.ts";
import { type NameView, nameTable, readsEndpoints } from "#core/translate/name-table.ts";
import { NameTableSchema } from "#proto/dns/proto/nds_pb.js";
import { decodeResource } from "#test/support/decode-resource.ts";
import { scoped, scopeOf, service } from "#test/support/scope.ts";
import { endpoint, serviceEndpoints } from "./endpoints/support.ts";

const HEADLESS: Partial<Service> = { resolution: "passthrough" };

function view(endpoints: readonly Endpoint[] = [], fields: Partial<NameView> = {}): NameView {
  return { cluster: "Kubernetes", families: "v4", usesAllocated: true, network: "", endpointsOf: () => serviceEndpoints(endpoints), ...fields };
}

/** `name: addresses (registry shortname namespace)`. */
function tableOf(services: readonly Service[], from: NameView = view()): readonly string[] {
  const { table } = decodeResource(NameTableSchema, nameTable(scopeOf(services.map((one) => scoped(one))), from));
  return Object.entries(table).map(([name, { ips, registry, shortname, namespace }]) =>
    `${name}: ${ips.join(" ")} (${registry} ${shortname} ${namespace})`.replace(/ +\)/, ")"),
  );
}

test("a Service's name has its addresses in the client's cluster, and its parts for shorter forms", () => {
  const web = service("web.shop.svc.cluster.local", {
    defaultAddress: "10.96.0.1",
    clusterAddresses: { Kubernetes: ["10.96.0.1"], c2: ["10.97.0.1"] },
  });
  assert.deepEqual(tableOf([web]), ["web.shop.svc.cluster.local: 10.96.0.1 (Kubernetes web shop)"]);
  assert.deepEqual(tableOf([web], view([], { cluster: "c2" })), ["web.shop.svc.cluster.local: 10.97.0.1 (Kubernetes web shop)"]);
});

test("a ServiceEntry's host has its allocated address where it has none of its own; without one it is left out", () => {
  const entry = service("a.example.com", { registry: "External", autoAddresses: { v4: "240.240.0.1" } });
  assert.deepEqual(tableOf([entry]), ["a.example.com: 240.240.0.1 (External)"]);
  assert.deepEqual(tableOf([service("a.example.com", { registry: "External" })]), []);
});

test("several ServiceEntries of a host join their addresses, but a Service has its name for itself", () => {
  const entry = (address: string): Service => service("web.shop.svc.cluster.local", { registry: "External", defaultAddress: address });
  const kube = service("web.shop.svc.cluster.local", { defaultAddress: "10.96.0.1" });
  assert.deepEqual(tableOf([entry("10.0.0.1"), entry("10.0.0.2")]), ["web.shop.svc.cluster.local: 10.0.0.1 10.0.0.2 (External)"]);
  for (const services of [
    [entry("10.0.0.1"), kube],
    [kube, entry("10.0.0.1")],
  ])
    assert.deepEqual(tableOf(services), ["web.shop.svc.cluster.local: 10.96.0.1 (Kubernetes web shop)"]);
});

test("ranges of addresses are not names' addresses", () => {
  assert.deepEqual(tableOf([service("a.example.com", { registry: "External", defaultAddress: "10.0.0.0/8" })]), []);
});

const DB = "db.shop.svc.cluster.local";

test("a headless service's name has its ready endpoints of the first port that the client reaches without a gateway", () => {
  const endpoints = [
    endpoint("10.0.0.1", { network: "a" }),
    endpoint("10.0.0.2", { network: "b" }),
    endpoint("10.0.0.3", { health: "unhealthy" }),
    endpoint("10.0.0.4", { servicePortName: "other" }),
    endpoint("10.0.0.5"),
  ];
  assert.deepEqual(tableOf([service(DB, HEADLESS)], view(endpoints, { network: "a" })), [`${DB}: 10.0.0.1 10.0.0.5 (Kubernetes db shop)`]);
  const early = service(DB, { ...HEADLESS, publishNotReadyAddresses: true });
  assert.deepEqual(tableOf([early], view(endpoints)), [`${DB}: 10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.5 (Kubernetes db shop)`]);
});

test("Pods of a headless service that have a subdomain get names, those of the client's cluster before others of the same name", () => {
  const endpoints = [
    endpoint("10.0.0.1", { hostName: "db-0", subdomain: "db" }),
    endpoint("10.1.0.1", { hostName: "db-0", subdomain: "db", cluster: "c2" }),
    endpoint("10.1.0.2", { hostName: "db-1", subdomain: "db", cluster: "c2" }),
  ];
  assert.deepEqual([...tableOf([service(DB, HEADLESS)], view(endpoints))].sort(), [
    `db-0.${DB}: 10.0.0.1 (Kubernetes db-0.db shop)`,
    `db-1.${DB}: 10.1.0.2 (Kubernetes db-1.db shop)`,
    `${DB}: 10.0.0.1 10.1.0.1 10.1.0.2 (Kubernetes db shop)`,
  ]);
});

test("only headless services make a table hang on endpoints", () => {
  const headless = scopeOf([scoped(service(DB, HEADLESS))]);
  assert.equal(readsEndpoints(headless), true);
  assert.equal(readsEndpoints(scopeOf([scoped(service(DB))])), false);
  assert.equal(readsEndpoints({ ...headless, egress: [] }), false);
});

test("the table says what it was made of: services, and the endpoints that it looked at", () => {
  const pod = { cluster: "Kubernetes", kind: "Pod", namespace: "shop", name: "db-0" } as const;
  const { from } = nameTable(scopeOf([scoped(service(DB, HEADLESS))]), view([endpoint("10.0.0.1", { sources: [pod] })]));
  assert.deepEqual(
    from.map(({ kind, name }) => `${kind} ${name}`),
    ["Service db", "EndpointSlice web-1", "Pod db-0"],
  );
});
