import assert from "node:assert/strict";
import { test } from "node:test";
import { lookUp } from "#core/lib/trie.ts";
import { resolveMesh } from "#core/model/resolve/mesh.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import { applyChange, type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import { inventoryOf, NODE_YAML, OPTIONS, podYaml, serviceYaml } from "#test/support/resolve.ts";

const A = "shop/a.shop.svc.cluster.local";
const B = "shop/b.shop.svc.cluster.local";
const YAML =
  NODE_YAML +
  podYaml("a-1", "10.1.0.1", { app: "a" }) +
  podYaml("a-2", "10.1.0.2", { app: "a" }) +
  podYaml("b-1", "10.1.0.3", { app: "b" }) +
  serviceYaml("a", [
    ["a-1", "10.1.0.1"],
    ["a-2", "10.1.0.2"],
  ]) +
  serviceYaml("b", [["b-1", "10.1.0.3"]]);

/** The inventory with one object's spec changed. */
function edit<K extends Kind>(inventory: Inventory, kind: K, name: string, change: (spec: never) => unknown): Inventory {
  const object = objectsOf(inventory, kind).find(({ key }) => key.name === name);
  if (object === undefined) throw new Error(`no ${kind} ${name}`);
  return applyChange(inventory, { type: "upsert", object: { ...object, spec: change(object.spec as never) } as never });
}

function withoutSecondEndpoint(inventory: Inventory): Inventory {
  return edit(inventory, "EndpointSlice", "a-1", (spec: { endpoints: unknown[] }) => ({ ...spec, endpoints: spec.endpoints.slice(0, 1) }));
}

test("an endpoint that goes takes nothing else with it: its neighbours, other services and facts that still hold stay the same values", () => {
  const inventory = inventoryOf(YAML);
  const before = resolveMesh(inventory, OPTIONS);
  const { entries } = resolveDirectory(before);
  const after = resolveMesh(withoutSecondEndpoint(inventory), OPTIONS, before);
  assert.equal(lookUp(after.endpoints, A)?.endpoints.length, 1);
  assert.equal(lookUp(after.endpoints, A)?.endpoints[0], lookUp(before.endpoints, A)?.endpoints[0]);
  assert.equal(lookUp(after.endpoints, B), lookUp(before.endpoints, B));
  assert.equal(after.facts, before.facts);
  assert.equal(after.services, before.services);
  assert.equal(resolveDirectory(after).entries, entries);
});

test("entries of the directory that exist stay the same values, whether Pods were asked for one by one or all at once", () => {
  const inventory = inventoryOf(YAML);
  const before = resolveMesh(inventory, OPTIONS);
  const entry = resolveDirectory(before).byName("Kubernetes", "a-1", "shop");
  assert.ok(entry);
  assert.equal(resolveDirectory(before).byName("", "a-1", "shop"), entry);
  const after = resolveMesh(withoutSecondEndpoint(inventory), OPTIONS, before);
  assert.equal(resolveDirectory(after).byName("Kubernetes", "a-1", "shop"), entry);
  assert.equal(resolveDirectory(after).entries[0], entry);
  assert.equal(resolveDirectory(after).byName("Kubernetes", "a-1", "shop"), entry);
  assert.equal(resolveDirectory(after).byName("Kubernetes", "a-3", "shop"), undefined);
  const gone = resolveMesh(
    applyChange(inventory, { type: "delete", key: { cluster: "Kubernetes", kind: "Pod", namespace: "shop", name: "a-1" } }),
    OPTIONS,
    before,
  );
  assert.equal(resolveDirectory(gone).byName("Kubernetes", "a-1", "shop"), undefined);
  assert.deepEqual(
    resolveDirectory(gone).entries.map(({ name }) => name),
    ["a-2", "b-1"],
  );
});

test("a Pod that changes changes the services whose slices name it", () => {
  const inventory = inventoryOf(YAML);
  const before = resolveMesh(inventory, OPTIONS);
  const after = resolveMesh(
    edit(inventory, "Pod", "a-1", (spec: object) => ({ ...spec, serviceAccountName: "other" })),
    OPTIONS,
    before,
  );
  assert.equal(lookUp(after.endpoints, A)?.endpoints[0]?.workload.serviceAccount, "spiffe://cluster.local/ns/shop/sa/other");
  assert.deepEqual(lookUp(after.facts, A)?.identities, ["spiffe://cluster.local/ns/shop/sa/a", "spiffe://cluster.local/ns/shop/sa/other"]);
  assert.equal(lookUp(after.facts, B), lookUp(before.facts, B));
});

test("a slice read anew with the same content changes nothing", () => {
  const inventory = inventoryOf(YAML);
  const before = resolveMesh(inventory, OPTIONS);
  const reread = inventoryOf(YAML).shelves.EndpointSlice ?? [];
  const after = resolveMesh({ ...inventory, shelves: { ...inventory.shelves, EndpointSlice: reread } }, OPTIONS, before);
  assert.equal(after.endpoints, before.endpoints);
});

test("a service that goes takes its endpoints and facts with it", () => {
  const inventory = inventoryOf(YAML);
  const before = resolveMesh(inventory, OPTIONS);
  const key = { cluster: "Kubernetes", kind: "Service", namespace: "shop", name: "a" } as const;
  const after = resolveMesh(applyChange(inventory, { type: "delete", key }), OPTIONS, before);
  assert.equal(lookUp(after.endpoints, A), undefined);
  assert.equal(lookUp(after.facts, A), undefined);
  assert.equal(lookUp(after.endpoints, B), lookUp(before.endpoints, B));
});

test("Istio objects of another revision don't count, those of none do", () => {
  const entry = (name: string, labels: string) => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: ${name}, namespace: shop, labels: ${labels}}
spec: {hosts: [${name}.com], ports: [{number: 80, name: http, protocol: HTTP}], resolution: DNS}
---`;
  const inventory = inventoryOf(entry("se-a", "{istio.io/rev: canary}") + entry("se-b", "{istio.io/rev: stable}") + entry("se-c", "{}"));
  const hosts = (revision: string) => resolveMesh(inventory, { ...OPTIONS, revision }).services.map(({ host }) => host);
  assert.deepEqual(hosts("canary"), ["se-a.com", "se-c.com"]);
  assert.deepEqual(hosts(""), ["se-a.com", "se-b.com", "se-c.com"]);
});

test("Kubernetes objects of namespaces that are not discovered don't count", () => {
  const namespace = (name: string, labels: string) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: ${labels}}\n---\n`;
  const lab = serviceYaml("c").replaceAll("namespace: shop", "namespace: lab");
  const inventory = inventoryOf(namespace("shop", "{mesh: member}") + namespace("lab", "{}") + serviceYaml("a") + lab);
  const mesh = resolveMesh(inventory, { ...OPTIONS, meshConfig: { discoverySelectors: [{ matchLabels: { mesh: "member" } }] } });
  assert.deepEqual(
    mesh.services.map(({ name }) => name),
    ["a"],
  );
});
