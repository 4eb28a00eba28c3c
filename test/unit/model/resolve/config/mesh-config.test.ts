import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import { resolveProxyConfig } from "#core/model/resolve/config/proxy-config.ts";

test("nothing given means Istio's defaults", () => {
  const { config, diagnostics } = resolveMeshConfig(undefined);
  assert.deepEqual(diagnostics, []);
  assert.equal(config.rootNamespace, "istio-system");
  assert.deepEqual(config.connectTimeout, { seconds: 10, nanos: 0 });
  assert.equal(config.outboundTrafficPolicy, "ALLOW_ANY");
  assert.deepEqual(config.defaultVirtualServiceExportTo, ["*"]);
  assert.equal(config.enableTracing, true);
  assert.equal(config.localityLb?.enabled, true);
});

test("a given block replaces its default as a whole", () => {
  const { config } = resolveMeshConfig({
    localityLbSetting: { failover: [{ from: "a", to: "b" }] },
    outboundTrafficPolicy: {},
    enableTracing: false,
  });
  assert.equal(config.localityLb?.enabled, undefined);
  assert.equal(config.outboundTrafficPolicy, "REGISTRY_ONLY");
  assert.equal(config.enableTracing, false);
});

test("a scalar that is given as zero replaces its default, one that is null does not", () => {
  assert.equal(resolveMeshConfig({ proxyInboundListenPort: 0 }).config.proxyInboundListenPort, 0);
  assert.equal(resolveMeshConfig({ trustDomain: "" }).config.trustDomain, "");
  const { config } = resolveMeshConfig({ proxyInboundListenPort: null, trustDomain: null, enableTracing: null });
  assert.equal(config.proxyInboundListenPort, 15006);
  assert.equal(config.trustDomain, "cluster.local");
  assert.equal(config.enableTracing, true);
});

test("an empty list of exports counts as absent", () => {
  assert.deepEqual(resolveMeshConfig({ defaultServiceExportTo: [] }).config.defaultServiceExportTo, ["*"]);
});

test("aliases of the trust domain are sorted, each once", () => {
  assert.deepEqual(resolveMeshConfig({ trustDomainAliases: ["b", "a", "b"] }).config.trustDomainAliases, ["a", "b"]);
});

test("what can't be read leaves the defaults and names the field", () => {
  const { config, diagnostics } = resolveMeshConfig({ connectTimeout: "soon", proxyListenPort: 1 });
  assert.equal(config.proxyListenPort, 15001);
  assert.deepEqual(
    diagnostics.map(({ field, refused }) => [field, refused]),
    [["connectTimeout", true]],
  );
});

test("a node's own proxy config that can't be read counts as none", () => {
  assert.equal(resolveProxyConfig({ proxyHeaders: { preserveHttp1HeaderCase: true } })?.proxyHeaders?.preserveHttp1HeaderCase, true);
  assert.equal(resolveProxyConfig({ proxyHeaders: 5 }), undefined);
});

test("one discovery selector that Kubernetes refuses voids all of them", () => {
  const typo = { matchExpressions: [{ key: "team", operator: "in", values: ["a"] }] };
  const { config, diagnostics } = resolveMeshConfig({ discoverySelectors: [{ matchLabels: { team: "b" } }, typo] });
  assert.equal(config.discoverySelectors, undefined);
  assert.deepEqual(
    diagnostics.map(({ field, refused }) => [field, refused]),
    [["discoverySelectors[1].matchExpressions[0]", false]],
  );
});
