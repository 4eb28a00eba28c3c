import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AddressEntry, Directory, PodEntry } from "#core/node/directory.ts";
import type { Facts } from "#core/node/facts.ts";
import { findFacts } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";

const ID = "sidecar~10.0.0.1~web-1.shop~shop.svc.cluster.local";
const ISTIO = { ISTIO_VERSION: "1.31.0", NAMESPACE: "shop", CLUSTER_ID: "Kubernetes" };

function node(metadata: Readonly<Record<string, unknown>> = ISTIO, id = ID): NodeMessage {
  return { id, cluster: "", metadata, locality: { region: "r9", zone: "", subzone: "" }, userAgentName: "envoy" };
}

const POD: PodEntry = {
  kind: "pod",
  cluster: "Kubernetes",
  namespace: "shop",
  name: "web-1",
  addresses: [],
  labels: { app: "web" },
  serviceAccount: "web",
  network: "",
  locality: { region: "r1", zone: "z1", subzone: "" },
  nodeName: "n1",
  workloadName: "web",
  containerPorts: [],
  sliceTargets: [],
};

const CLAIMED: AddressEntry = {
  kind: "address",
  cluster: "Kubernetes",
  namespace: "",
  name: "10.0.0.1",
  addresses: ["10.0.0.1"],
  workloadEntries: [
    { namespace: "other", name: "vm", serviceAccount: "" },
    { namespace: "shop", name: "vm-1", serviceAccount: "" },
    { namespace: "shop", name: "web-1", serviceAccount: "" },
  ],
  claims: [
    { namespace: "other", labels: { app: "other" }, targets: [] },
    { namespace: "shop", labels: { app: "vm" }, targets: [] },
  ],
};

function directory(pod?: PodEntry, address?: AddressEntry): Directory {
  return {
    entries: [],
    byName: (cluster, name, namespace) => (pod?.cluster === cluster && pod.name === name && pod.namespace === namespace ? pod : undefined),
    byAddress: () => address,
  };
}

function facts(message: NodeMessage, known: Directory = directory()): Facts {
  const found = findFacts(message, known);
  assert.ok(!("error" in found), JSON.stringify(found));
  return found;
}

describe("what is known of a node", () => {
  it("labels of its Pod beat those of metadata; static ones lie beneath", () => {
    const metadata = { ...ISTIO, LABELS: { app: "metadata" }, STATIC_LABELS: { team: "a", app: "static" } };
    const { labels } = facts(node(metadata), directory(POD));
    assert.deepEqual([labels.app, labels.team], ["web", "a"]);
    assert.equal(facts(node(metadata)).labels.app, "metadata");
  });

  it("it stands where its Pod's Node does, else where it says", () => {
    assert.deepEqual(facts(node(), directory(POD)).locality, { region: "r1", zone: "z1", subzone: "" });
    assert.equal(facts(node()).locality.region, "r9");
  });

  it("a Pod is found in the namespace that the node states alone", () => {
    assert.equal(facts(node({ ...ISTIO, NAMESPACE: "other" }), directory(POD)).pod, undefined);
    assert.equal(facts(node({ ...ISTIO, CLUSTER_ID: "far" }), directory(POD)).pod, undefined);
  });

  it("what ServiceEntries say of its address counts in its own namespace", () => {
    assert.equal(facts(node(), directory(undefined, CLAIMED)).labels.app, "vm");
  });

  it("of several WorkloadEntries at its address the one of its name counts, then one of its namespace", () => {
    assert.equal(facts(node(), directory(undefined, CLAIMED)).workloadEntry, "shop/web-1");
    const other = node(ISTIO, "sidecar~10.0.0.1~db-1.shop~shop.svc.cluster.local");
    assert.equal(facts(other, directory(undefined, CLAIMED)).workloadEntry, "shop/vm-1");
  });

  it("Istio's proxy must have an id of Istio's form; others may call themselves anything", () => {
    assert.ok("error" in findFacts(node(ISTIO, "web"), directory()));
    const { podId, namespace, addresses } = facts(node({ NAMESPACE: "shop" }, "web"));
    assert.deepEqual([podId, namespace, addresses], ["web.shop", "shop", ["127.0.0.1"]]);
  });

  it("metadata of a wrong shape is refused, and so is a node without an address", () => {
    assert.match(
      String((findFacts(node({ ...ISTIO, LABELS: "app=web" }), directory()) as { error?: string }).error),
      /metadata\.LABELS is not an object/,
    );
    assert.ok("error" in findFacts(node(ISTIO, "sidecar~~web-1.shop~shop.svc.cluster.local"), directory()));
  });
});
