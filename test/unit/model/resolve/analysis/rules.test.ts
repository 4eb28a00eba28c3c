import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { found } from "./support.ts";

const SERVICE = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {ports: [{name: http, port: 80}], selector: {app: web}}
`;
const rule = (more: string, host = "web") => `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: r, namespace: shop}
spec: {host: "${host}"${more}}
`;
const pod = (labels: string) => `
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: ${labels}}
`;

test("a rule's host must be one that it sees", () => {
  const lost = ["IST0174 warning DestinationRule shop/r spec.host"];
  assert.deepEqual(found(`${SERVICE}---${rule("")}`), []);
  assert.deepEqual(found(`${SERVICE}---${rule("", "*.shop.svc.cluster.local")}`), []);
  assert.deepEqual(found(`${SERVICE}---${rule("", "*.bank.svc.cluster.local")}`), lost);
  assert.deepEqual(found(`${SERVICE}---${rule("", "wbe")}`), lost);
});

describe("a subset must have something in it:", () => {
  const v1 = rule(", subsets: [{name: v1, labels: {version: v1}}]");
  const empty = ["IST0173 error DestinationRule shop/r spec.subsets[0].labels"];

  test("a Pod, a WorkloadEntry, or what a Deployment will start", () => {
    const entry =
      "\napiVersion: networking.istio.io/v1\nkind: WorkloadEntry\nmetadata: {name: vm, namespace: vms}\nspec: {address: 10.0.0.1, labels: {version: v1}}\n";
    const deployment =
      "\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {template: {metadata: {labels: {version: v1}}}}\n";
    assert.deepEqual(found(`${SERVICE}---${v1}---${pod("{version: v1}")}`), []);
    assert.deepEqual(found(`${SERVICE}---${v1}---${entry}`), []);
    assert.deepEqual(found(`${SERVICE}---${v1}---${deployment}`), []);
    assert.deepEqual(found(`${SERVICE}---${v1}---${pod("{version: v2}")}`), empty);
  });

  test("nothing can be said where no source knows what runs", () => {
    const slice =
      "\napiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}\naddressType: IPv4\nendpoints: [{addresses: [10.0.0.1]}]\n";
    assert.deepEqual(found(`${SERVICE}---${v1}`), []);
    assert.deepEqual(found(`${SERVICE}---${v1}---${slice}`), empty, "endpoints without Pods have no labels");
  });

  test("an endpoint that a ServiceEntry lists", () => {
    const entry = (labels: string) => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: e, namespace: shop}
spec: {hosts: [a.example.com], addresses: [10.1.1.1], ports: [{name: http, number: 80, protocol: HTTP}], resolution: STATIC, endpoints: [{address: 10.0.0.1, labels: ${labels}}]}
`;
    const subset = rule(", subsets: [{name: v1, labels: {version: v1}}]", "a.example.com");
    assert.deepEqual(found(`${entry("{version: v1}")}---${subset}`), []);
    assert.deepEqual(found(`${entry("{version: v2}")}---${subset}`), empty);
  });

  test("labels of a place are taken as given, unless they are empty", () => {
    const placed = (zone: string) => rule(`, subsets: [{name: z, labels: {topology.kubernetes.io/zone: "${zone}"}}]`);
    assert.deepEqual(found(`${SERVICE}---${pod("{app: web}")}---${placed("a")}`), []);
    assert.deepEqual(found(`${SERVICE}---${pod("{app: web}")}---${placed("")}`), empty);
  });
});

describe("TLS without CA certificates", () => {
  const codes = (policy: string, more = "") => found(`${SERVICE}---${rule(`, trafficPolicy: ${policy}${more}`)}`);

  test("verifies nothing", () => {
    assert.deepEqual(codes("{tls: {mode: SIMPLE}}"), ["IST0128 warning DestinationRule shop/r spec.trafficPolicy.tls.caCertificates"]);
    assert.deepEqual(codes("{portLevelSettings: [{port: {number: 80}, tls: {mode: SIMPLE}}]}"), [
      "IST0129 warning DestinationRule shop/r spec.trafficPolicy.portLevelSettings[0].tls.caCertificates",
    ]);
    assert.deepEqual(codes("{tls: {mode: SIMPLE, caCertificates: /ca.pem}}"), []);
    assert.deepEqual(codes("{tls: {mode: ISTIO_MUTUAL}}"), []);
  });

  test("a Secret brings its roots, for the workloads that a rule selects", () => {
    assert.deepEqual(codes("{tls: {mode: SIMPLE, credentialName: c}}").length, 1);
    assert.deepEqual(codes("{tls: {mode: SIMPLE, credentialName: c}}", ", workloadSelector: {matchLabels: {app: web}}"), []);
  });
});
