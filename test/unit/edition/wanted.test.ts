import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readWantedWord, WANTED_PREFIX, wantedWord } from "#core/edition/wanted.ts";
import type { NodeMessage } from "#core/node/message.ts";

const NODE: NodeMessage = {
  id: "sidecar~10.0.0.1~web.shop~shop.svc.cluster.local",
  cluster: "web.shop",
  metadata: { NAMESPACE: "shop" },
  locality: { region: "r1", zone: "", subzone: "" },
  userAgentName: "envoy",
};

describe("words of wanted nodes", () => {
  it("are read as they were left", () => {
    assert.deepEqual(readWantedWord(wantedWord(NODE).bytes), NODE);
  });

  it("have one key for a node that says the same of itself", () => {
    const { key } = wantedWord(NODE);
    assert.ok(key.startsWith(WANTED_PREFIX));
    assert.equal(wantedWord({ ...NODE, metadata: { NAMESPACE: "shop" } }).key, key);
    assert.notEqual(wantedWord({ ...NODE, metadata: { NAMESPACE: "other" } }).key, key);
  });

  it("that are none are nothing", () => {
    for (const text of ["", "{", "null", "[]", "{}", '{"node":"web"}']) assert.equal(readWantedWord(new TextEncoder().encode(text)), undefined);
  });
});
