import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readMetadata } from "#core/node/metadata.ts";

describe("a node's metadata", () => {
  it("has one shape for each key; what is absent or null reads as empty", () => {
    const reader = readMetadata({ NAMESPACE: "shop", ENVOY_STATUS_PORT: 15021, DNS_CAPTURE: "true", INSTANCE_IPS: "10.0.0.1,::1", LABELS: null });
    assert.equal(reader.text("NAMESPACE"), "shop");
    assert.equal(reader.text("NETWORK"), "");
    assert.equal(reader.port("ENVOY_STATUS_PORT"), 15021);
    assert.equal(reader.flag("DNS_CAPTURE"), true);
    assert.equal(reader.flag("DNS_AUTO_ALLOCATE"), false);
    assert.deepEqual(reader.list("INSTANCE_IPS"), ["10.0.0.1", "::1"]);
    assert.equal(reader.labels("LABELS"), undefined);
    assert.deepEqual(reader.problems, []);
  });

  it("of another shape is a problem for the whole node, named by its key", () => {
    const reader = readMetadata({ NAMESPACE: 7, ENVOY_STATUS_PORT: "15021", DNS_CAPTURE: "perhaps", LABELS: { app: 1 }, PROXY_CONFIG: [] });
    reader.text("NAMESPACE");
    reader.port("ENVOY_STATUS_PORT");
    reader.flag("DNS_CAPTURE");
    reader.labels("LABELS");
    reader.record("PROXY_CONFIG");
    assert.deepEqual(
      reader.problems.map((problem) => problem.split(" ")[0]),
      ["metadata.NAMESPACE", "metadata.ENVOY_STATUS_PORT", "metadata.DNS_CAPTURE", "metadata.LABELS.app", "metadata.PROXY_CONFIG"],
    );
  });

  it("that nobody asks for is not looked at", () => {
    assert.deepEqual(readMetadata({ ANYTHING: { at: ["all"] } }).problems, []);
  });
});
