import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatLocality, joinLocality, localityOf, parseLocality } from "#core/node/locality.ts";

const ANNOUNCED = { region: "r9", zone: "z9", subzone: "" };

describe("where a proxy stands", () => {
  it("is what its topology labels say, even if they say little", () => {
    const labels = { "topology.kubernetes.io/zone": "z1", "topology.istio.io/locality": "r2/z2" };
    assert.deepEqual(localityOf(labels, ANNOUNCED), { region: "", zone: "z1", subzone: "" });
  });

  it("else what its locality label says, the new one before the old, dots as they are", () => {
    assert.deepEqual(localityOf({ "topology.istio.io/locality": "r1/z1/s1", "istio-locality": "r2" }, ANNOUNCED), parseLocality("r1/z1/s1"));
    assert.deepEqual(localityOf({ "istio-locality": "r1.z1" }, ANNOUNCED), { region: "r1.z1", zone: "", subzone: "" });
  });

  it("else what it says itself", () => {
    assert.equal(localityOf({ app: "web" }, ANNOUNCED), ANNOUNCED);
  });

  it("is cut at the first part that is empty where Istio writes it as text, and joined whole where the registry does", () => {
    const locality = { region: "r1", zone: "", subzone: "s1" };
    assert.equal(formatLocality(locality), "r1");
    assert.equal(joinLocality(locality), "r1//s1");
    assert.equal(formatLocality({ region: "r1", zone: "z1", subzone: "s1" }), "r1/z1/s1");
  });
});
