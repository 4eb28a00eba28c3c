import assert from "node:assert/strict";
import { test } from "node:test";
import { alternatives, internNaming, labelOfService, type Naming } from "#core/translate/routes/domains.ts";
import { httpPort, service } from "#test/support/scope.ts";

const NAMING: Naming = { cluster: "Kubernetes", families: "v4", usesAllocated: false, dnsDomain: "shop.svc.cluster.local", portInNames: false };

function domains(fields: Parameters<typeof service>[1], naming: Partial<Naming> = {}): readonly string[] {
  return labelOfService(service("api.shop.svc.cluster.local", fields), httpPort(80), internNaming({ ...NAMING, ...naming })).domains;
}

test("names shorten by namespace for clients in Kubernetes", () => {
  assert.deepEqual(alternatives("api.shop.svc.cluster.local", 0, "shop.svc.cluster.local"), [
    "api.shop.svc.cluster.local.",
    "api",
    "api.shop.svc",
    "api.shop",
  ]);
  assert.deepEqual(alternatives("api.shop.svc.cluster.local", 0, "media.svc.cluster.local"), [
    "api.shop.svc.cluster.local.",
    "api.shop",
    "api.shop.svc",
  ]);
  assert.deepEqual(alternatives("api.example.com", 0, "shop.svc.cluster.local"), ["api.example.com."]);
});

test("names shorten by shared suffix for clients of another domain", () => {
  assert.deepEqual(alternatives("foo.local.campus.net", 0, "local.campus.net"), ["foo.local.campus.net.", "foo"]);
  assert.deepEqual(alternatives("foo.local.campus.net", 0, "remote.campus.net"), ["foo.local.campus.net.", "foo.local", "foo.local.campus"]);
  assert.deepEqual(alternatives("foo.local.campus.net", 0, "example.com"), ["foo.local.campus.net."]);
});

test("an address has no absolute form", () => {
  assert.deepEqual(alternatives("10.0.0.1", 0, "shop.svc.cluster.local"), []);
});

test("a headless service answers for names below its own", () => {
  const names = domains({ resolution: "passthrough" });
  assert.deepEqual(names.slice(5), ["*.api.shop.svc.cluster.local", "*.api.shop.svc.cluster.local.", "*.api", "*.api.shop.svc", "*.api.shop"]);
});

test("addresses are those of the client's cluster and family, IPv6 in brackets", () => {
  const addresses = { clusterAddresses: { Kubernetes: ["10.0.0.1", "fd00::1"], west: ["10.9.0.1"] }, defaultAddress: "10.0.0.1" };
  assert.deepEqual(domains(addresses).slice(5), ["10.0.0.1"]);
  assert.deepEqual(domains(addresses, { families: "v6" }).slice(5), ["[fd00::1]"]);
  assert.deepEqual(domains(addresses, { families: "dual" }).slice(5), ["10.0.0.1"]);
  assert.deepEqual(domains(addresses, { cluster: "west" }).slice(5), ["10.9.0.1"]);
  assert.deepEqual(domains({ clusterAddresses: { west: ["fd00::9"] }, defaultAddress: "fd00::9" }).slice(5), []);
});

test("allocated addresses mean something only to a client that captures DNS", () => {
  const allocated = { autoAddresses: { v4: "240.240.0.1", v6: "2001:2::1" } };
  assert.deepEqual(domains(allocated).slice(5), []);
  assert.deepEqual(domains(allocated, { usesAllocated: true }).slice(5), ["240.240.0.1"]);
});
