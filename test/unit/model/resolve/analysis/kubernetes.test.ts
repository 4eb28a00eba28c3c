import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { analysisOf, found, textOf } from "./support.ts";

const service = (name: string, port: string, more = "") => `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {ports: [${port}], selector: {app: web}${more}}
`;

describe("ports of Services", () => {
  test("should say their protocol by name or appProtocol", () => {
    const undeclared = ["IST0118 info Service shop/web spec.ports[0].name"];
    assert.deepEqual(found(service("web", "{name: http-api, port: 80}")), []);
    assert.deepEqual(found(service("web", "{name: api, port: 80, appProtocol: http}")), []);
    assert.deepEqual(found(service("web", "{name: api, port: 80}")), undeclared);
    assert.deepEqual(found(service("web", "{port: 80}")), undeclared);
    assert.deepEqual(found(service("web", "{name: db, port: 3306}")), [], "a port of a protocol in which the server speaks first");
  });

  test("of ExternalName Services should not be plain TCP", () => {
    const external = ", type: ExternalName, externalName: a.example.com";
    const invalid = ["IST0150 warning Service shop/web spec.ports[0].name"];
    assert.deepEqual(found(service("web", "{name: tcp, port: 80}", external)), invalid);
    assert.deepEqual(found(service("web", "{name: api, port: 80}", external)), invalid);
    assert.deepEqual(found(service("web", "{name: https, port: 443}", external)), []);
  });
});

test("a Service should be the same in all clusters", () => {
  const differs = (more: string) =>
    found(service("web", "{name: http, port: 80}"), { clusters: { far: service("web", `{name: http, port: 80${more}}`) } });
  assert.deepEqual(differs(""), []);
  assert.deepEqual(differs(", nodePort: 30080, protocol: TCP, targetPort: 80"), []);
  assert.deepEqual(differs(", targetPort: 8080"), ["IST0170 warning Service shop/web spec.ports"]);
  const headless = found(service("web", "{name: http, port: 80}"), {
    clusters: { far: service("web", "{name: http, port: 80}", ", clusterIP: None") },
  });
  assert.deepEqual(headless, ["IST0170 warning Service shop/web spec.clusterIP"]);
});

describe("Namespaces", () => {
  const codes = (labels: string, more = "") =>
    analysisOf(`apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: ${labels}}\n${more}`).diagnostics.map(textOf);

  test("should say whether they are injected, in one way", () => {
    assert.deepEqual(codes("{}"), ["IST0102 info Namespace shop metadata.labels"]);
    for (const labels of [
      "{istio-injection: enabled}",
      "{istio-injection: disabled}",
      "{istio.io/rev: canary}",
      "{istio.io/dataplane-mode: ambient}",
    ]) {
      assert.deepEqual(codes(labels), [], labels);
    }
    assert.deepEqual(codes("{istio-injection: enabled, istio.io/rev: canary}"), ["IST0123 warning Namespace shop metadata.labels"]);
    assert.deepEqual(codes("{istio-injection: disabled, istio.io/rev: canary}"), []);
  });

  test("may be injected by default", () => {
    const values = JSON.stringify({ sidecarInjectorWebhook: { enableNamespacesByDefault: true } });
    const injector = `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: istio-sidecar-injector, namespace: istio-system}\ndata: {values: '${values}'}\n`;
    assert.deepEqual(codes("{}", injector), ["IST0148 info Namespace shop metadata.labels"]);
    assert.deepEqual(codes("{}", injector.replace("true", "nonsense")), ["IST0102 info Namespace shop metadata.labels"]);
  });
});

describe("Pods", () => {
  const NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {istio-injection: enabled}}\n";
  const pod = (spec: string, metadata = "") =>
    `${NAMESPACE}---\napiVersion: v1\nkind: Pod\nmetadata: {name: web-1, namespace: shop${metadata}}\nspec: ${spec}\n`;
  const missing = ["IST0103 warning Pod shop/web-1 spec.containers"];

  test("of injected namespaces have a proxy", () => {
    assert.deepEqual(found(pod("{containers: [{name: app}]}")), missing);
    assert.deepEqual(found(pod("{containers: [{name: app}, {name: istio-proxy}]}")), []);
    assert.deepEqual(found(pod("{containers: [{name: app}], initContainers: [{name: istio-proxy, restartPolicy: Always}]}")), []);
    assert.deepEqual(found(pod("{containers: [{name: app}]}", ', labels: {sidecar.istio.io/inject: "false"}')), []);
    assert.deepEqual(found(pod("{hostNetwork: true, containers: [{name: app}]}")), []);
  });

  test("don't run as the proxy's user", () => {
    const user = ["IST0144 warning Pod shop/web-1 spec.securityContext.runAsUser"];
    const proxy = "{name: istio-proxy, securityContext: {runAsUser: 1337}}";
    assert.deepEqual(found(pod(`{containers: [{name: app}, ${proxy}]}`)), []);
    assert.deepEqual(found(pod(`{containers: [{name: app, securityContext: {runAsUser: 1337}}, ${proxy}]}`)), user);
    assert.deepEqual(found(pod(`{securityContext: {runAsUser: 1337}, containers: [{name: app}, ${proxy}]}`)), user);
  });
});

describe("Deployments with sidecars", () => {
  const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {template: {metadata: {labels: {app: web, sidecar.istio.io/inject: "true"}}, spec: {containers: [{name: app}]}}}
`;
  const at = "Deployment shop/web spec.template.metadata.labels";
  const codes = (...services: string[]) => found([deployment, ...services].join("---"));

  test("have one protocol for a number, and one number for a port", () => {
    const a = service("a", "{name: http, port: 80}");
    assert.deepEqual(codes(a, service("b", "{name: http, port: 80}")), []);
    assert.deepEqual(codes(a, service("b", "{name: udp, port: 80, protocol: UDP}")), [`IST0116 warning ${at}`]);
    assert.deepEqual(codes(a, service("b", "{name: http, port: 8080, targetPort: 80}")), [`IST0137 warning ${at}`]);
  });

  test("are looked at alone", () => {
    const b = service("b", "{name: http, port: 8080, targetPort: 80}");
    const plain = deployment.replace(', sidecar.istio.io/inject: "true"', "");
    assert.deepEqual(found([plain, service("a", "{name: http, port: 80}"), b].join("---")), []);
  });
});

describe("annotations of Istio's", () => {
  const annotated = (kind: string, annotation: string, labels = "") =>
    found(
      `apiVersion: ${kind === "Deployment" ? "apps/v1" : "v1"}\nkind: ${kind}\nmetadata: {name: a, namespace: shop, annotations: {${annotation}}${labels}}\n`,
    );
  const at = (kind: string, name: string) => `${kind} shop/a metadata.annotations[${name}]`;

  test("are known, or nobody's business", () => {
    assert.deepEqual(annotated("Pod", "sidecar.istio.io/injct: x"), [`IST0108 warning ${at("Pod", "sidecar.istio.io/injct")}`]);
    assert.deepEqual(annotated("Pod", "example.com/anything: x"), []);
    assert.deepEqual(annotated("Pod", "sidecar.istio.io/status: x"), []);
  });

  test("stand on objects that they mean something to", () => {
    assert.deepEqual(annotated("Deployment", "sidecar.istio.io/logLevel: debug"), [
      `IST0107 warning ${at("Deployment", "sidecar.istio.io/logLevel")}`,
    ]);
    assert.deepEqual(annotated("Pod", "sidecar.istio.io/logLevel: debug"), []);
  });

  test("are not deprecated, unless what replaces them stands beside", () => {
    assert.deepEqual(annotated("Pod", 'sidecar.istio.io/inject: "true"'), [`IST0135 info ${at("Pod", "sidecar.istio.io/inject")}`]);
    assert.deepEqual(annotated("Pod", 'sidecar.istio.io/inject: "true"', ', labels: {sidecar.istio.io/inject: "true"}'), []);
  });

  test("have values that the injector takes", () => {
    const bad: Readonly<Record<string, string>> = {
      "sidecar.istio.io/interceptionMode": "MAYBE",
      "status.sidecar.istio.io/port": "port",
      "traffic.sidecar.istio.io/includeInboundPorts": "80,x",
      "traffic.sidecar.istio.io/excludeOutboundIPRanges": "10.0.0.1",
      "readiness.status.sidecar.istio.io/periodSeconds": "-1",
      "prometheus.istio.io/merge-metrics": "maybe",
      "sidecar.istio.io/proxyCPU": "lots",
      "traffic.sidecar.istio.io/excludeInterfaces": "0eth",
    };
    for (const [name, value] of Object.entries(bad))
      assert.deepEqual(annotated("Pod", `${name}: "${value}"`), [`IST0125 warning ${at("Pod", name)}`]);
    const good: Readonly<Record<string, string>> = {
      "sidecar.istio.io/interceptionMode": "NONE",
      "traffic.sidecar.istio.io/includeInboundPorts": "*",
      "traffic.sidecar.istio.io/excludeInboundPorts": "",
      "traffic.sidecar.istio.io/excludeOutboundIPRanges": "10.0.0.0/8,1.1.1.1/32",
      "sidecar.istio.io/proxyMemory": "128Mi",
      "traffic.sidecar.istio.io/excludeInterfaces": "eth0, eth1",
    };
    for (const [name, value] of Object.entries(good)) assert.deepEqual(annotated("Pod", `${name}: "${value}"`), [], name);
  });
});
