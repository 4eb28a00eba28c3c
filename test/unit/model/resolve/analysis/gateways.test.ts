import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { found } from "./support.ts";

const pod = (name: string, labels: string, namespace = "edge") => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${namespace}, labels: ${labels}}
spec: {containers: [{name: istio-proxy}]}
`;
const service = (ports: string) => `
apiVersion: v1
kind: Service
metadata: {name: router, namespace: edge}
spec: {selector: {app: router}, ports: ${ports}}
`;
const gateway = (name: string, server: string, selector = "{app: router}") => `
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: ${name}, namespace: edge}
spec: {selector: ${selector}, servers: [${server}]}
`;
const http = (hosts = "[a.example.com]", port = 80) => `{port: {number: ${port}, name: http, protocol: HTTP}, hosts: ${hosts}}`;
const PORT_80 = service("[{name: http, port: 80, targetPort: 8080}]");
const ROUTER = pod("router-1", "{app: router}");

describe("the selector of a Gateway", () => {
  const text = (selector: string) => gateway("g", http(), selector);

  test("must select a workload, if any workload is known", () => {
    assert.deepEqual(found(`${ROUTER}---${PORT_80}---${text("{app: ruoter}")}`), ["IST0101 error Gateway edge/g spec.selector.app"]);
    assert.deepEqual(found(`${PORT_80}---${text("{app: ruoter}")}`), []);
  });

  test("may select workloads of any namespace, ones outside Kubernetes, and ones that a Deployment will start", () => {
    const selector = "{role: edge}";
    const entry = `
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: vm, namespace: vms}
spec: {address: 10.0.0.1, labels: {role: edge}}
`;
    const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: router, namespace: other}
spec: {template: {metadata: {labels: {role: edge}}, spec: {containers: [{name: app}]}}}
`;
    const codes = (workload: string) => found(`${ROUTER}---${workload}---${text(selector)}`).filter((line) => line.startsWith("IST0101"));
    assert.deepEqual(codes(pod("p", "{role: edge}", "other")), []);
    assert.deepEqual(codes(entry), []);
    assert.deepEqual(codes(deployment), []);
    assert.equal(codes(pod("p", "{role: inner}", "other")).length, 1);
  });

  test("may be that of Istio's own router, which few files have", () => {
    assert.deepEqual(found(`${ROUTER}---${text("{istio: ingressgateway}")}`), []);
  });
});

describe("the port of a server", () => {
  const unreachable = ["IST0162 warning Gateway edge/g spec.servers[0].port.number"];

  test("is one of a Service in front of the router, or the port that it sends to", () => {
    assert.deepEqual(found(`${ROUTER}---${PORT_80}---${gateway("g", http())}`), []);
    assert.deepEqual(found(`${ROUTER}---${PORT_80}---${gateway("g", http(undefined, 8080))}`), []);
    assert.deepEqual(found(`${ROUTER}---${PORT_80}---${gateway("g", http(undefined, 81))}`), unreachable);
    assert.deepEqual(found(`${ROUTER}---${gateway("g", http())}`), unreachable);
  });

  test("counts for TCP alone", () => {
    const udp = service("[{name: dns, port: 80, protocol: UDP}]");
    assert.deepEqual(found(`${ROUTER}---${udp}---${gateway("g", http())}`), unreachable);
  });
});

describe("servers of several Gateways", () => {
  const base = `${ROUTER}---${PORT_80}---`;
  const both = ["IST0145 error Gateway edge/one spec.servers[0].hosts", "IST0145 error Gateway edge/two spec.servers[0].hosts"];

  test("conflict where port, address, host and workloads are the same", () => {
    assert.deepEqual(found(`${base}${gateway("one", http())}---${gateway("two", http())}`), both);
    assert.deepEqual(found(`${base}${gateway("one", http())}---${gateway("two", http("[b.example.com]"))}`), []);
    assert.deepEqual(found(`${base}${gateway("one", http())}---${gateway("two", `{bind: 127.0.0.1, ${http().slice(1)}`)}`), []);
  });

  test("conflict by different selectors only where a workload has both", () => {
    const other = gateway("two", http(), "{tier: front}");
    assert.deepEqual(found(`${base}${pod("r", "{app: router, tier: front}")}---${gateway("one", http())}---${other}`), both);
    assert.deepEqual(found(`${base}${pod("r", "{tier: front}")}---${gateway("one", http())}---${other}`), [
      "IST0162 warning Gateway edge/two spec.servers[0].port.number",
    ]);
  });
});

describe("certificates", () => {
  const base = `${ROUTER}---${service("[{name: https, port: 443}]")}---`;
  const https = (host: string) => `{port: {number: 443, name: https, protocol: HTTPS}, hosts: [${host}], tls: {mode: SIMPLE, credentialName: cert}}`;
  const secret = (data: string, namespace = "edge") => `
apiVersion: v1
kind: Secret
metadata: {name: cert, namespace: ${namespace}}
data: ${data}
`;
  const pem = btoa("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n");
  const good = `{tls.crt: ${pem}, tls.key: ${btoa("key")}}`;
  const at = "Gateway edge/one spec.servers[0].tls.credentialName";

  test("are in a Secret of the router's namespace", () => {
    const one = gateway("one", https("a.example.com"));
    assert.deepEqual(found(`${base}${one}---${secret(good)}`), []);
    assert.deepEqual(found(`${base}${one}`), [`IST0101 error ${at}`]);
    assert.deepEqual(found(`${base}${one}---${secret(good, "other")}`), [`IST0101 error ${at}`]);
  });

  test("are there, and certificates", () => {
    const one = gateway("one", https("a.example.com"));
    assert.deepEqual(found(`${base}${one}---${secret(`{cert: ${pem}, key: ${btoa("key")}}`)}`), []);
    for (const data of [`{tls.crt: ${pem}}`, `{tls.crt: ${btoa("hello")}, tls.key: ${btoa("key")}}`, "{}"]) {
      assert.deepEqual(found(`${base}${one}---${secret(data)}`), [`IST0161 error ${at}`], data);
    }
  });

  test("that two Gateways of the same workloads share give 404s on reused connections", () => {
    const text = `${base}${gateway("one", https("a.example.com"))}---${gateway("two", https("b.example.com"))}---${secret(good)}`;
    assert.deepEqual(found(text), ["IST0138 warning Gateway edge/one spec.servers[0].tls", "IST0138 warning Gateway edge/two spec.servers[0].tls"]);
  });
});

test("routes by claims need a RequestAuthentication at the gateway", () => {
  const text = `${ROUTER}---${PORT_80}---${gateway("g", http())}---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v, namespace: edge}
spec:
  hosts: [a.example.com]
  gateways: [g]
  http: [{match: [{headers: {"@request.auth.claims.group": {exact: a}}}], directResponse: {status: 200}}]
`;
  const authentication = (selector: string) => `
apiVersion: security.istio.io/v1
kind: RequestAuthentication
metadata: {name: jwt, namespace: edge}
spec: {selector: {matchLabels: ${selector}}, jwtRules: [{issuer: a, jwksUri: "https://a.example.com/keys"}]}
`;
  const never = ["IST0149 error VirtualService edge/v spec.http[0].match[0].headers[@request.auth.claims.group]"];
  assert.deepEqual(found(text), never);
  assert.deepEqual(found(`${text}---${authentication("{app: other}")}`), never);
  assert.deepEqual(found(`${text}---${authentication("{app: router}")}`), []);
});
