import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalText } from "#core/lib/canonical.ts";
import { KINDS } from "#core/sources/decode/catalog.ts";
import { decode, expandList } from "#core/sources/decode.ts";
import type { SourceObject } from "#core/sources/object.ts";

const context = { cluster: "Kubernetes", origin: { file: "a.yaml", line: 7 } };

function object(document: Readonly<Record<string, unknown>>): SourceObject {
  const { object: found, diagnostics } = decode({ apiVersion: "v1", metadata: { name: "a" }, ...document }, context);
  assert.deepEqual(diagnostics, []);
  assert.ok(found);
  return found;
}

function fields(document: Readonly<Record<string, unknown>>): readonly string[] {
  const { object: found, diagnostics } = decode({ apiVersion: "v1", metadata: { name: "a" }, ...document }, context);
  assert.equal(found, undefined);
  assert.ok(diagnostics.every((one) => one.refused && one.file === "a.yaml" && one.line === 7 && one.key.name === "a"));
  return diagnostics.map(({ field }) => field);
}

test("every served version of a kind is read, others of Istio's groups are a Diagnostic, other groups are not ours", () => {
  for (const version of ["v1", "v1beta1", "v1alpha3"]) {
    assert.equal(object({ apiVersion: `networking.istio.io/${version}`, kind: "Gateway", spec: {} }).key.kind, "Gateway");
  }
  assert.equal(object({ apiVersion: "gateway.networking.k8s.io/v1beta1", kind: "Gateway", spec: {} }).key.kind, "KubernetesGateway");
  assert.deepEqual(fields({ apiVersion: "networking.istio.io/v2", kind: "Gateway" }), ["apiVersion"]);
  assert.deepEqual(fields({ apiVersion: "networking.istio.io/v1", kind: "EnvoyFilter" }), ["apiVersion"]);
  assert.deepEqual(decode({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } }, context).diagnostics, []);
});

test("an object without a namespace is in default, one of the whole cluster in none", () => {
  assert.equal(object({ kind: "Service" }).key.namespace, "default");
  assert.equal(object({ kind: "Node", metadata: { name: "a", namespace: "x" } }).key.namespace, "");
});

test("metadata takes YAML's numbers and booleans for text", () => {
  const { labels } = object({ kind: "Service", metadata: { name: "a", labels: { version: 1, on: true } } });
  assert.deepEqual(labels, { version: "1", on: "true" });
});

test("a timestamp dates an object", () => {
  const at = "2026-01-02T03:04:05Z";
  const { object: found, dated } = decode({ apiVersion: "v1", kind: "Service", metadata: { name: "a", creationTimestamp: at } }, context);
  assert.equal(found?.created, Date.parse(at));
  assert.ok(dated);
  assert.deepEqual(fields({ kind: "Service", metadata: { name: "a", creationTimestamp: "yesterday" } }), ["metadata.creationTimestamp"]);
});

test("what does not fit is told with its path, and the object is left out", () => {
  assert.deepEqual(fields({ kind: "Service", spec: { ports: [{ port: 80 }, { port: "x" }] } }), ["spec.ports[1].port"]);
  assert.deepEqual(fields({ kind: "Pod", status: { podIPs: "x" } }), ["status.podIPs"]);
  assert.deepEqual(fields({ apiVersion: "networking.istio.io/v1", kind: "VirtualService", spec: { http: [{ timeout: 5 }] } }), [
    "spec.http[0].timeout",
  ]);
});

test("a Service keeps what is absent apart from what is empty", () => {
  const { spec } = object({
    kind: "Service",
    spec: {
      ports: [
        { port: 80, appProtocol: "" },
        { port: 81, targetPort: "web" },
      ],
    },
  });
  const [first, second] = (spec as { ports: readonly object[] }).ports;
  assert.deepEqual(first, { name: "", protocol: "", port: 80, nodePort: 0, appProtocol: "" });
  assert.deepEqual(second, { name: "", protocol: "", port: 81, nodePort: 0, targetPort: "web" });
});

test("a Pod keeps sidecar containers, and the mark of injection", () => {
  const spec = {
    containers: [{ name: "app", ports: [{ containerPort: 80 }] }],
    initContainers: [{ name: "setup" }, { name: "helper", restartPolicy: "Always" }, { name: "istio-proxy" }],
  };
  const pod = object({ kind: "Pod", spec, status: { conditions: [{ type: "Ready", status: "True" }] } }).spec as {
    containers: readonly { name: string }[];
    ready: boolean;
  };
  assert.deepEqual(
    pod.containers.map(({ name }) => name),
    ["app", "helper", "istio-proxy"],
  );
  assert.ok(pod.ready);
});

test("Kubernetes objects have their keys in order, whatever that of their documents, so that their text is made in one go", () => {
  const labels = { b: "1", a: "2" };
  const ports = [{ protocol: "TCP", port: 80, name: "http", targetPort: 80, appProtocol: "http" }];
  const endpoints = [
    { targetRef: { name: "p", kind: "Pod" }, conditions: { terminating: true, serving: true, ready: true }, addresses: ["10.0.0.1"] },
  ];
  const documents = [
    { kind: "Service", metadata: { name: "a", labels }, spec: { type: "ClusterIP", ports, selector: labels } },
    { kind: "Pod", metadata: { name: "a", labels, annotations: labels }, spec: { containers: [{ ports: [{ containerPort: 80 }], name: "app" }] } },
    { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", endpoints, ports },
    { kind: "Node", status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] } },
    { kind: "Secret", stringData: { a: "" } },
  ];
  for (const document of documents) {
    const { origin, ...form } = object(document);
    assert.equal(JSON.stringify(form), canonicalText(form), document.kind);
  }
});

test("a Secret's plain data is encoded", () => {
  assert.deepEqual(object({ kind: "Secret", data: { a: "YQ==" }, stringData: { b: "ü" } }).spec, { type: "", data: { a: "YQ==", b: "w7w=" } });
});

test("a WorkloadEntry's health is the condition's; a ServiceEntry's unreadable status counts as none", () => {
  const entry = { apiVersion: "networking.istio.io/v1", kind: "WorkloadEntry", spec: {} };
  assert.equal("healthy" in object(entry).spec, false);
  assert.equal((object({ ...entry, status: { conditions: [{ type: "Healthy", status: "True" }] } }).spec as { healthy?: boolean }).healthy, true);
  assert.equal("status" in object({ ...entry, kind: "ServiceEntry", status: { addresses: 5 } }).spec, false);
});

test("kinds of later translation are kept as they are", () => {
  const spec = { rules: [{ matches: [] }] };
  assert.deepEqual(object({ apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", spec }).spec, { spec });
  assert.ok(KINDS.length > 35);
});

test("lists are taken apart, typed ones as well, however deep", () => {
  const item = { kind: "Service", metadata: { name: "a" } };
  assert.deepEqual(expandList({ kind: "List", items: [item, { kind: "List", items: [item] }] }), [item, item]);
  assert.deepEqual(expandList({ apiVersion: "v1", kind: "ServiceList", items: [{ metadata: { name: "a" } }, 5] }), [{ apiVersion: "v1", ...item }]);
  assert.deepEqual(expandList("text"), []);
});

test("nothing throws on documents that are no objects", () => {
  for (const value of [
    null,
    undefined,
    5,
    "x",
    [],
    {},
    { kind: 5 },
    { apiVersion: "v1", kind: "Pod", metadata: 5 },
    { apiVersion: "v1", kind: "Pod", metadata: [] },
  ]) {
    assert.doesNotThrow(() => decode(value, context));
  }
});
