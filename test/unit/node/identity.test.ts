import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseNodeId, splitPodId } from "#core/node/identity.ts";

describe("a node's id", () => {
  it("has four parts: type, address, pod and namespace, DNS domain", () => {
    assert.deepEqual(parseNodeId("sidecar~10.0.0.1~web-1.shop~shop.svc.cluster.local"), {
      type: "sidecar",
      address: "10.0.0.1",
      podId: "web-1.shop",
      dnsDomain: "shop.svc.cluster.local",
    });
  });

  it("may lack a valid address: metadata can give one", () => {
    const identity = parseNodeId("router~nowhere~gateway.shop~shop.svc.cluster.local");
    assert.equal("address" in identity && identity.address, "");
  });

  it("is refused with a sentence if parts are missing, or the type is none that is served", () => {
    for (const id of ["", "web", "sidecar~10.0.0.1~web.shop", "ztunnel~10.0.0.1~z.shop~shop.svc.cluster.local"]) {
      const identity = parseNodeId(id);
      assert.ok("error" in identity && identity.error.includes(`"${id}"`), id);
    }
  });

  it("splits the pod's name at the first dot", () => {
    assert.deepEqual(splitPodId("web-1.shop.more"), { name: "web-1", namespace: "shop.more" });
    assert.deepEqual(splitPodId("web-1"), { name: "web-1", namespace: "" });
  });
});
