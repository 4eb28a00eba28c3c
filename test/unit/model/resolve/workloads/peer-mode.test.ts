import assert from "node:assert/strict";
import { test } from "node:test";
import type { PeerAuthentication } from "#core/model/peer-authentication.ts";
import { peerModes, portMode } from "#core/model/resolve/workloads/peer-mode.ts";

const ROOT = "istio-system";

function policy(namespace: string, mode: PeerAuthentication["mode"], fields: Partial<PeerAuthentication> = {}): PeerAuthentication {
  return { name: "p", namespace, mode, ports: {}, sources: [], ...fields };
}

function modeOf(policies: readonly PeerAuthentication[], labels = { app: "a" }, namespace = "shop") {
  return peerModes(policies, ROOT)({ namespace, labels });
}

test("without policies everything is permitted", () => {
  assert.equal(modeOf([]).mode, "PERMISSIVE");
});

test("the namespace beats the mesh, and an unset mode inherits", () => {
  assert.equal(modeOf([policy(ROOT, "STRICT"), policy("shop", "DISABLE")]).mode, "DISABLE");
  assert.equal(modeOf([policy(ROOT, "STRICT"), policy("shop", "UNSET")]).mode, "STRICT");
});

test("of several policies that select a workload only the oldest counts", () => {
  const selecting = (mode: PeerAuthentication["mode"]) => policy("shop", mode, { selector: { app: "a" } });
  assert.equal(modeOf([selecting("STRICT"), selecting("DISABLE")]).mode, "STRICT");
  assert.equal(modeOf([selecting("STRICT")], { app: "b" }).mode, "PERMISSIVE");
});

test("a port inherits from its own policy's workload mode", () => {
  const mtls = modeOf([policy("shop", "STRICT", { selector: { app: "a" }, ports: { 80: "DISABLE", 81: "UNSET" } })]);
  assert.equal(portMode(mtls, 80), "DISABLE");
  assert.equal(portMode(mtls, 81), "STRICT");
  assert.equal(portMode(mtls, 82), "STRICT");
});

test("policies with a selector in the root namespace select nothing", () => {
  assert.equal(modeOf([policy(ROOT, "STRICT", { selector: { app: "a" } })], { app: "a" }, ROOT).mode, "PERMISSIVE");
});
