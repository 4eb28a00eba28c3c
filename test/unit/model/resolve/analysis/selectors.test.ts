import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { found } from "./support.ts";

const pod = (name: string, labels: string, namespace = "shop") => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${namespace}, labels: ${labels}}
`;
const PODS = `${pod("web-1", "{app: web, tier: front}")}---${pod("db-1", "{app: db}")}`;

describe("Sidecars", () => {
  const sidecar = (name: string, selector = "", hosts = '["./*"]') => `
apiVersion: networking.istio.io/v1
kind: Sidecar
metadata: {name: ${name}, namespace: shop}
spec: {${selector}egress: [{hosts: ${hosts}}]}
`;
  const selecting = (labels: string) => `workloadSelector: {labels: ${labels}}, `;

  test("must select a workload of their namespace, if any workload is known", () => {
    const lost = sidecar("s", selecting("{app: wbe}"));
    assert.deepEqual(found(`${PODS}---${sidecar("s", selecting("{app: web}"))}`), []);
    assert.deepEqual(found(`${PODS}---${lost}`), ["IST0101 error Sidecar shop/s spec.workloadSelector.labels.app"]);
    assert.deepEqual(found(`${pod("wbe-1", "{app: wbe}", "other")}---${lost}`), ["IST0101 error Sidecar shop/s spec.workloadSelector.labels.app"]);
    assert.deepEqual(found(lost), []);
  });

  test("must not select the same workload", () => {
    const text = `${PODS}---${sidecar("a", selecting("{app: web}"))}---${sidecar("b", selecting("{tier: front}"))}---${sidecar("c", selecting("{app: db}"))}`;
    assert.deepEqual(found(text), ["IST0110 error Sidecar shop/a spec.workloadSelector", "IST0110 error Sidecar shop/b spec.workloadSelector"]);
  });

  test("without a selector must be alone", () => {
    const both = ["IST0111 error Sidecar shop/a spec.workloadSelector", "IST0111 error Sidecar shop/b spec.workloadSelector"];
    assert.deepEqual(found(`${sidecar("a")}---${sidecar("b")}`), both);
    assert.deepEqual(found(`${sidecar("a")}---${sidecar("b").replace("namespace: shop", "namespace: bank")}`), []);
  });

  test("mean nothing to workloads in ambient mode", () => {
    const ambient = pod("web-1", "{app: web}").replace("}\n", ", annotations: {ambient.istio.io/redirection: enabled}}\n");
    const namespace = "\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {istio.io/dataplane-mode: ambient}}\n";
    assert.deepEqual(found(`${ambient}---${sidecar("s", selecting("{app: web}"))}`), ["IST0167 warning Sidecar shop/s spec.workloadSelector"]);
    assert.deepEqual(found(`${namespace}---${sidecar("s")}`), ["IST0167 warning Sidecar shop/s spec.workloadSelector"]);
  });

  test("import nothing by a name that nothing has", () => {
    const service = "\napiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: bank}\nspec: {ports: [{name: tcp, port: 1}]}\n";
    const hosts = '["bank/db.bank.svc.cluster.local", "./db.bank.svc.cluster.local", "*/gone.example.com", "bank/*", "~/x.example.com"]';
    assert.deepEqual(found(`${service}---${sidecar("s", "", hosts)}`), [
      "IST0101 warning Sidecar shop/s spec.egress[0].hosts[1]",
      "IST0101 warning Sidecar shop/s spec.egress[0].hosts[2]",
    ]);
  });
});

describe("Telemetries", () => {
  const telemetry = (name: string, more = "") => `
apiVersion: telemetry.istio.io/v1
kind: Telemetry
metadata: {name: ${name}, namespace: shop}
spec: {${more}}
`;
  const selecting = (labels: string) => `selector: {matchLabels: ${labels}}`;

  test("must select a workload, and not the same one", () => {
    assert.deepEqual(found(`${PODS}---${telemetry("a", selecting("{app: wbe}"))}`), ["IST0101 error Telemetry shop/a spec.selector.matchLabels.app"]);
    assert.deepEqual(found(`${PODS}---${telemetry("a", selecting("{app: web}"))}---${telemetry("b", selecting("{tier: front}"))}`), [
      "IST0159 error Telemetry shop/a spec.selector",
      "IST0159 error Telemetry shop/b spec.selector",
    ]);
  });

  test("for a whole namespace must be alone; those for a Gateway or Service are not for it", () => {
    const target = "targetRefs: [{kind: Service, name: web}]";
    assert.deepEqual(found(`${telemetry("a")}---${telemetry("b")}`), [
      "IST0160 error Telemetry shop/a spec.selector",
      "IST0160 error Telemetry shop/b spec.selector",
    ]);
    assert.deepEqual(found(`${telemetry("a")}---${telemetry("b", target)}`), []);
  });

  test("need a provider for access logs, their own or the mesh's", () => {
    const logs = telemetry("a", "accessLogging: [{disabled: false}]");
    assert.deepEqual(found(logs), ["IST0157 warning Telemetry shop/a spec.accessLogging[0].providers"]);
    assert.deepEqual(found(logs, { meshConfig: { defaultProviders: { accessLogging: ["envoy"] } } }), []);
    assert.deepEqual(found(telemetry("a", "accessLogging: [{disabled: true}]")), []);
  });

  test("should not use providers on their way out", () => {
    const meshConfig = { extensionProviders: [{ name: "old", lightstep: { service: "a.example.com", port: 1, accessToken: "t" } }] };
    assert.deepEqual(found(telemetry("a", "tracing: [{providers: [{name: old}]}]"), { meshConfig }), [
      "IST0002 warning Telemetry shop/a spec.tracing[0].providers[0].name",
    ]);
  });
});

describe("AuthorizationPolicies", () => {
  const policy = (spec: string, namespace = "shop") => `
apiVersion: security.istio.io/v1
kind: AuthorizationPolicy
metadata: {name: p, namespace: ${namespace}}
spec: ${spec}
`;
  const selecting = (labels: string) => `{selector: {matchLabels: ${labels}}}`;
  const nobody = ["IST0127 warning AuthorizationPolicy shop/p spec.selector"];

  test("should fall on a workload", () => {
    assert.deepEqual(found(`${PODS}---${policy(selecting("{app: web}"))}`), []);
    assert.deepEqual(found(`${PODS}---${policy(selecting("{app: wbe}"))}`), nobody);
    assert.deepEqual(found(`${pod("x", "{app: web}", "other")}---${policy("{}")}`), nobody);
    assert.deepEqual(found(policy(selecting("{app: wbe}"))), []);
  });

  test("of the root namespace are for all others", () => {
    assert.deepEqual(found(`${PODS}---${policy(selecting("{app: web}"), "istio-system")}`), []);
    assert.deepEqual(found(`${PODS}---${policy("{}", "istio-system")}`), []);
  });

  test("name namespaces that exist, where namespaces are listed", () => {
    const namespaces = ["shop", "bank-one"].map((name) => `\napiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`).join("---\n");
    const from = policy('{rules: [{from: [{source: {namespaces: [SHOP, "bank-*", "*-one", "*"], notNamespaces: [gone]}}]}]}');
    const lost = "IST0101 error AuthorizationPolicy shop/p spec.rules[0].from[0].source.notNamespaces[0]";
    assert.deepEqual(found(`${PODS}---${namespaces}---${from}`), [lost]);
    assert.deepEqual(found(`${PODS}---${from}`), []);
  });
});

test("selectors have no effect on Gateways of the Gateway API", () => {
  const labels = "{app: web, gateway.networking.k8s.io/gateway-name: edge}";
  const policy = (spec: string) => `
apiVersion: security.istio.io/v1
kind: RequestAuthentication
metadata: {name: p, namespace: shop}
spec: ${spec}
`;
  assert.deepEqual(found(`${pod("edge-1", labels)}---${policy("{selector: {matchLabels: {app: web}}}")}`), [
    "IST0166 warning RequestAuthentication shop/p spec.selector",
  ]);
  const target = "{targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: edge}]}";
  assert.deepEqual(found(`${pod("edge-1", labels)}---${policy(target)}`), []);
});
