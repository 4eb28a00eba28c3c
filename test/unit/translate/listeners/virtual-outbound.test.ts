import assert from "node:assert/strict";
import { test } from "node:test";
import { scopeOf } from "#test/support/scope.ts";
import { chainsOf, decodeListener, endOf, managerOf, outbound } from "./support.ts";

const NOTHING = scopeOf([]);

test("connections to the listener itself end, unknown ones go where policy says", () => {
  const ends = (policy: typeof NOTHING.outboundPolicy) =>
    chainsOf(outbound({ ...NOTHING, outboundPolicy: policy }).get("virtualOutbound")).map(endOf);
  assert.deepEqual(ends({ mode: "ALLOW_ANY" }), ["tcp BlackHoleCluster", "tcp PassthroughCluster"]);
  assert.deepEqual(ends({ mode: "REGISTRY_ONLY" }), ["tcp BlackHoleCluster", "tcp BlackHoleCluster"]);
  const egressProxy = { host: "out.com", subset: "v1", port: 80 };
  assert.deepEqual(ends({ mode: "ALLOW_ANY", egressProxy }), ["tcp BlackHoleCluster", "tcp outbound|80|v1|out.com"]);
});

test("where unknown hosts are resolved, HTTP in the clear is found out and gets routes of its own", () => {
  const resource = outbound({ ...NOTHING, outboundPolicy: { mode: "ALLOW_ANY_DYNAMIC_DNS" } }).get("virtualOutbound");
  const [, http] = chainsOf(resource);
  assert.deepEqual(http?.filterChainMatch?.applicationProtocols, ["http/1.1", "h2c"]);
  assert.deepEqual(
    managerOf(http)
      .httpFilters.map(({ name }) => name)
      .slice(-2),
    ["envoy.filters.http.dynamic_forward_proxy", "envoy.filters.http.router"],
  );
  assert.deepEqual(resource?.needs.clusters, ["AllowAnyDynamicDNSCluster", "BlackHoleCluster", "PassthroughCluster"]);
});

test("TPROXY keeps the client's address", () => {
  assert.equal(decodeListener(outbound(NOTHING, { metadata: { INTERCEPTION_MODE: "TPROXY" } }).get("virtualOutbound")).transparent, true);
});

test("the HTTP proxy listener is for this host alone, and lets requests name their host", () => {
  const resource = outbound(NOTHING, { mesh: { proxyHttpPort: 15002 } }).get("127.0.0.1_15002");
  const [chain] = chainsOf(resource);
  assert.equal(endOf(chain), "http http_proxy");
  assert.equal(managerOf(chain).httpProtocolOptions?.allowAbsoluteUrl, true);
  assert.ok(outbound(NOTHING, { mesh: { proxyHttpPort: 15002 }, metadata: { HTTP_PROXY_PORT: "3128" } }).has("127.0.0.1_3128"));
  assert.ok(!outbound(NOTHING, { mesh: { proxyHttpPort: 15002 }, metadata: { HTTP_PROXY_PORT: "0" } }).has("127.0.0.1_15002"));
  assert.ok(outbound(NOTHING, { mesh: { proxyHttpPort: 15002 }, metadata: { HTTP_PROXY_PORT: "none" } }).has("127.0.0.1_15002"));
});
