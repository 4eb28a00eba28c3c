import assert from "node:assert/strict";
import { test } from "node:test";
import { localityFromLabels, withTopologyLabels } from "#core/lib/topology.ts";

test("a place overwrites labels of a workload, but not its network", () => {
  const labels = withTopologyLabels(
    { app: "a", "topology.kubernetes.io/region": "own", "topology.istio.io/network": "own" },
    { cluster: "c1", locality: "r1/z1/s1", nodeName: "n1", network: "net" },
  );
  assert.deepEqual(labels, {
    app: "a",
    "topology.kubernetes.io/region": "r1",
    "topology.kubernetes.io/zone": "z1",
    "topology.istio.io/subzone": "s1",
    "topology.istio.io/cluster": "c1",
    "kubernetes.io/hostname": "n1",
    "topology.istio.io/network": "own",
  });
});

test("what is not known of a place adds no label", () => {
  assert.deepEqual(withTopologyLabels({}, { cluster: "", locality: "/z1/", nodeName: "", network: "" }), { "topology.kubernetes.io/zone": "z1" });
});

test("dots of a locality label stand for slashes unless there is one", () => {
  assert.equal(localityFromLabels({ "istio-locality": "r1.z1" }), "r1/z1");
  assert.equal(localityFromLabels({ "istio-locality": "r1/z.1" }), "r1/z.1");
  assert.equal(localityFromLabels({ "istio-locality": "old", "topology.istio.io/locality": "new" }), "new");
  assert.equal(localityFromLabels({}), "");
});
