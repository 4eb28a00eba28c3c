import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Facts } from "#core/node/facts.ts";
import { findFacts } from "#core/node/find-facts.ts";
import { layerKey, place, placeScope } from "#core/node/place.ts";
import type { PlacedLayer } from "#core/node/placement.ts";
import type { Reads, Rules, ScopeReads } from "#core/node/rules.ts";
import { NO_RULES } from "#test/support/rules.ts";

const EMPTY = { entries: [], byName: () => undefined, byAddress: () => undefined };

function facts(name: string, labels: Readonly<Record<string, string>> = {}, address = "10.0.0.1"): Facts {
  const found = findFacts(
    {
      id: `sidecar~${address}~${name}.shop~shop.svc.cluster.local`,
      cluster: "",
      metadata: { ISTIO_VERSION: "1.31.0", NAMESPACE: "shop", CLUSTER_ID: "Kubernetes", LABELS: labels },
      locality: { region: "r1", zone: "", subzone: "" },
      userAgentName: "envoy",
    },
    EMPTY,
  );
  assert.ok(!("error" in found));
  return found;
}

const NOTHING: ScopeReads = { vantage: [], ownAddressListeners: [], bindsOwnAddress: false };

function layers(node: Facts, rules: Rules = NO_RULES, reads: ScopeReads = NOTHING): readonly PlacedLayer[] {
  const key = layerKey("scope", placeScope(node, rules));
  const placement = place(node, { ...rules, scopeReads: { [key]: reads } });
  assert.ok("layers" in placement);
  return placement.layers;
}

describe("placing a node", () => {
  it("gives Pods of one kind the same layers, whatever their names and addresses", () => {
    assert.deepEqual(layers(facts("web-1")), layers(facts("web-2", {}, "10.0.0.2")));
  });

  it("looks at labels only as far as something selects by them", () => {
    const rules: Rules = { ...NO_RULES, clientSelectors: { shop: [{ app: "web" }] } };
    const key = (labels: Readonly<Record<string, string>>) => layers(facts("web-1", labels), rules)[0]?.key;
    assert.equal(key({ app: "web", version: "v1" }), key({ app: "web", version: "v2" }));
    assert.notEqual(key({ app: "web" }), key({ app: "api" }));
    assert.equal(key({ app: "api" }), key({ app: "db" }));
  });

  it("waits for a scope that nobody compiled, and says which", () => {
    const node = facts("web-1");
    assert.deepEqual(place(node, NO_RULES), { wanted: placeScope(node, NO_RULES) });
  });

  it("restricts a vantage to what its names read", () => {
    const general: Reads = { locality: false, nodeName: false, labels: [] };
    const own: Reads = { locality: true, nodeName: false, labels: ["app"] };
    const [, shared, special] = layers(facts("web-1", { app: "web" }), { ...NO_RULES, generalReads: [general] }, { ...NOTHING, vantage: [own] });
    assert.ok(shared?.kind === "vantage" && special?.kind === "vantage");
    assert.deepEqual([shared.placement.scope, shared.placement.vantage.locality], [undefined, undefined]);
    assert.deepEqual([special.placement.vantage.locality?.region, special.placement.vantage.labels], ["r1", { app: "web" }]);
  });

  it("adds a layer of its own only where the node's address matters", () => {
    const kinds = (reads: ScopeReads) => layers(facts("web-1"), NO_RULES, reads).map(({ kind }) => kind);
    assert.deepEqual(kinds(NOTHING), ["scope", "workload"]);
    assert.deepEqual(kinds({ ...NOTHING, ownAddressListeners: ["10.0.0.9"] }), ["scope", "workload"]);
    assert.deepEqual(kinds({ ...NOTHING, ownAddressListeners: ["10.0.0.1"] }), ["scope", "workload", "node"]);
    assert.deepEqual(kinds({ ...NOTHING, bindsOwnAddress: true }), ["scope", "workload", "node"]);
  });

  it("chooses the first Sidecar of the namespace that fits, else the root namespace's without a selector", () => {
    const sidecars = {
      shop: [{ id: "shop/selected", selector: { app: "web" } }, { id: "shop/default" }],
      "istio-system": [{ id: "istio-system/selected", selector: { app: "api" } }, { id: "istio-system/default" }],
    };
    const chosen = (labels: Readonly<Record<string, string>>, known: Rules["sidecars"]) =>
      placeScope(facts("web-1", labels), { ...NO_RULES, sidecars: known }).sidecar;
    assert.equal(chosen({ app: "web" }, sidecars), "shop/selected");
    assert.equal(chosen({ app: "api" }, sidecars), "shop/default");
    assert.equal(chosen({ app: "api" }, { "istio-system": sidecars["istio-system"] }), "istio-system/default");
    assert.equal(chosen({ app: "api" }, {}), undefined);
  });
});
