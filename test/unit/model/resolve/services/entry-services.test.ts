import assert from "node:assert/strict";
import { test } from "node:test";
import { allocateAddresses } from "#core/model/resolve/services/auto-addresses.ts";
import { joinPorts } from "#core/model/resolve/services/trim-service.ts";
import { objectsOf } from "#core/sources/inventory.ts";
import { findService, inventoryOf, meshOf } from "#test/support/resolve.ts";
import { httpPort, service } from "#test/support/scope.ts";

function entry(spec: string, metadata = "name: se, namespace: shop", more = ""): string {
  return `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {${metadata}}
spec: {hosts: [a.com], ports: [{number: 80, name: http, protocol: HTTP}], ${spec}}
${more}
---`;
}

const STATUS = "status: {addresses: [{host: a.com, value: 240.240.0.7}, {host: a.com, value: '2001:2:0::7'}]}";

test("a range of full length is an address, other ranges stay", () => {
  const mesh = meshOf(entry("resolution: NONE, addresses: [10.0.0.1/32, 10.1.0.0/16]"));
  assert.deepEqual(
    mesh.services.map(({ defaultAddress }) => defaultAddress),
    ["10.0.0.1", "10.1.0.0/16"],
  );
});

test("a target port replaces the original one only where nothing is resolved", () => {
  const port = "ports: [{number: 80, name: http, protocol: HTTP, targetPort: 8080}]";
  const of = (resolution: string) =>
    findService(
      meshOf(`
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: se, namespace: shop}
spec: {hosts: [a.com], ${port}, resolution: ${resolution}}`),
      "a.com",
    ).targetPortOverrides?.[80];
  assert.equal(of("NONE"), 8080);
  assert.equal(of("DNS"), undefined);
});

test("the status of an entry gives addresses, unless it has its own, is not resolved or opts out", () => {
  const of = (spec: string, metadata?: string) => findService(meshOf(entry(spec, metadata, STATUS)), "a.com").autoAddresses;
  assert.deepEqual(of("resolution: DNS"), { v4: "240.240.0.7", v6: "2001:2::7" });
  assert.deepEqual(of("resolution: NONE"), {});
  assert.deepEqual(of("resolution: DNS, addresses: [10.0.0.1]"), {});
  assert.deepEqual(of("resolution: DNS", "name: se, namespace: shop, labels: {networking.istio.io/enable-autoallocate-ip: 'False'}"), {});
});

test("the mesh's visibility for ServiceEntries only ever narrows what they export", () => {
  const meshConfig = {
    serviceEntryVisibility: {
      applyToSidecars: true,
      defaultVisibility: "PUBLIC",
      policies: [{ visibility: "NAMESPACE", matchingRules: [{ namespaceSelector: { matchLabels: { closed: "yes" } } }] }],
    },
  };
  const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {closed: 'yes'}}\n---";
  const of = (exportTo: string) =>
    findService(meshOf(namespace + entry(`resolution: DNS, exportTo: [${exportTo}]`), { meshConfig }), "a.com").exportTo;
  assert.deepEqual(of('"*"'), { kind: "namespaces", namespaces: ["shop"] });
  assert.deepEqual(of("lab"), { kind: "none" });
});

function entriesOf(...hosts: string[]) {
  const yaml = hosts.map((host, index) => entry("resolution: DNS", `name: se-${index}, namespace: shop`).replace("a.com", host)).join("");
  return objectsOf(inventoryOf(yaml), "ServiceEntry");
}

test("allocated addresses don't depend on the order of entries, and are kept while their host lives", () => {
  const first = allocateAddresses(entriesOf("a.com", "b.com"), {});
  assert.deepEqual(allocateAddresses(entriesOf("b.com", "a.com"), {}), first);
  assert.equal(allocateAddresses(entriesOf("a.com", "b.com"), first), first);
  const later = allocateAddresses(entriesOf("c.com", "a.com"), first);
  assert.deepEqual(later["shop/a.com"], first["shop/a.com"]);
  assert.deepEqual(Object.keys(later).sort(), ["shop/a.com", "shop/c.com"]);
});

test("an address that an entry uses is not allocated again", () => {
  const taken = allocateAddresses(entriesOf("a.com"), {})["shop/a.com"]?.v4 ?? "";
  const other = entry(`resolution: STATIC, addresses: [${taken}]`, "name: own, namespace: lab").replace("a.com", "own.com");
  const entries = objectsOf(inventoryOf(other + entry("resolution: DNS")), "ServiceEntry");
  assert.notEqual(allocateAddresses(entries, {})["shop/a.com"]?.v4, taken);
});

test("a status wins over an allocation, which counts for its own namespace", () => {
  const allocations = { "shop/a.com": { v4: "240.240.1.1", v6: "2001:2::1" } };
  assert.deepEqual(findService(meshOf(entry("resolution: DNS"), { allocations }), "a.com").autoAddresses, allocations["shop/a.com"]);
  assert.equal(findService(meshOf(entry("resolution: DNS", undefined, STATUS), { allocations }), "a.com").autoAddresses.v4, "240.240.0.7");
  assert.deepEqual(findService(meshOf(entry("resolution: DNS", "name: se, namespace: lab"), { allocations }), "a.com").autoAddresses, {});
});

test("a wildcard gets no address unless names are resolved at request time", () => {
  const yaml = entry("resolution: STATIC").replace("a.com", '"*.a.com"');
  assert.deepEqual(allocateAddresses(objectsOf(inventoryOf(yaml), "ServiceEntry"), {}), {});
});

test("ports that are joined from another entry do not bring their target ports", () => {
  const one = service("a.com", { ports: [httpPort(80)], targetPortOverrides: { 80: 8080 } });
  const other = service("a.com", { ports: [httpPort(81)], targetPortOverrides: { 81: 8081 } });
  const joined = joinPorts(one, other);
  assert.deepEqual(
    joined.ports.map(({ number }) => number),
    [80, 81],
  );
  assert.deepEqual(joined.targetPortOverrides, { 80: 8080 });
});
