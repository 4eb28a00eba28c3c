import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { analysisOf, found } from "./support.ts";

const virtualService = (name: string, more: string) => `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: ${name}, namespace: shop}
spec: {hosts: [a.example.com], http: [{directResponse: {status: 200}}]${more}}
`;

describe("VirtualServices of one host", () => {
  const both = ["IST0109 error VirtualService shop/one spec.hosts[0]", "IST0109 error VirtualService shop/two spec.hosts[0]"];

  test("conflict where a sidecar sees both", () => {
    assert.deepEqual(found(`${virtualService("one", "")}---${virtualService("two", "")}`), both);
    assert.deepEqual(found(`${virtualService("one", ', exportTo: ["."]')}---${virtualService("two", "")}`), both);
  });

  test("do not conflict where nobody sees both, or at gateways", () => {
    const gateway = `
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: g, namespace: shop}
spec: {selector: {istio: ingressgateway}, servers: [{port: {number: 80, name: http, protocol: HTTP}, hosts: ["*"]}]}
`;
    const away = virtualService("two", ', exportTo: ["other"]');
    assert.deepEqual(found(`${virtualService("one", ', exportTo: ["."]')}---${away}`), []);
    assert.deepEqual(found(`${gateway}---${virtualService("one", ", gateways: [g]")}---${virtualService("two", ", gateways: [g]")}`), []);
  });

  test("conflict by a wildcard that everybody sees with what one namespace sees", () => {
    const wildcard = virtualService("wide", "").replace("a.example.com", '"*.example.com"');
    assert.deepEqual(found(`${virtualService("one", ', exportTo: ["."]')}---${wildcard}`), [
      "IST0109 error VirtualService shop/one spec.hosts[0]",
      "IST0109 error VirtualService shop/wide spec.hosts[0]",
    ]);
    assert.deepEqual(found(`${virtualService("one", "")}---${wildcard}`), [], "among those that everybody sees the more specific one counts");
  });

  test("are told who counts", () => {
    const [, two] = analysisOf(`${virtualService("one", "")}---${virtualService("two", "")}`).diagnostics;
    assert.match(two?.message ?? "", /the oldest, shop\/one, counts/);
  });

  test("follow the mesh's default visibility", () => {
    const elsewhere = virtualService("two", "").replace("namespace: shop", "namespace: bank");
    const meshConfig = { defaultVirtualServiceExportTo: ["."] };
    assert.deepEqual(found(`${virtualService("one", "")}---${elsewhere}`, { meshConfig }), []);
  });
});

test("the subsets of a host's own VirtualService have no effect at gateways", () => {
  const text = `
apiVersion: v1
kind: Service
metadata: {name: reviews, namespace: shop}
spec: {ports: [{name: http, port: 80}]}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: reviews, namespace: shop}
spec: {host: reviews, subsets: [{name: v1, labels: {version: v1}}]}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: inner, namespace: shop}
spec: {hosts: [reviews], http: [{route: [{destination: {host: reviews, subset: v1}}]}]}
---
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: g, namespace: shop}
spec: {selector: {istio: ingressgateway}, servers: [{port: {number: 80, name: http, protocol: HTTP}, hosts: ["*"]}]}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: outer, namespace: shop}
spec: {hosts: [a.example.com], gateways: [g], http: [{route: [{destination: {host: reviews.shop.svc.cluster.local}}]}]}
`;
  assert.deepEqual(found(text), ["IST0140 warning VirtualService shop/outer spec.http[0].route[0].destination.host"]);
});

describe("ServiceEntries", () => {
  const entry = (name: string, port: string, more = "") => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: ${name}, namespace: shop}
spec: {hosts: [${name}.example.com], ports: [${port}], resolution: DNS${more}}
`;
  const tcp = "{name: tcp, number: 5432, protocol: TCP}";

  test("without addresses share the listener of a TCP port: the oldest has it", () => {
    assert.deepEqual(found(`${entry("a", tcp)}---${entry("b", tcp)}`), [
      "ALM0101 warning ServiceEntry shop/b spec.ports[0].number",
      "IST0134 warning ServiceEntry shop/a spec.ports[0].name",
      "IST0134 warning ServiceEntry shop/b spec.ports[0].name",
    ]);
    assert.deepEqual(found(`${entry("a", tcp, ", addresses: [10.0.0.1]")}---${entry("b", tcp, ", addresses: [10.0.0.2]")}`), []);
    assert.deepEqual(found(`${entry("a", tcp.replaceAll("TCP", "TLS"))}---${entry("b", tcp.replaceAll("TCP", "TLS"))}`), []);
  });

  test("need no addresses where proxies or a controller give them some", () => {
    const proxyMetadata = { ISTIO_META_DNS_CAPTURE: "true", ISTIO_META_DNS_AUTO_ALLOCATE: "true" };
    assert.deepEqual(found(entry("a", tcp), { meshConfig: { defaultConfig: { proxyMetadata } } }), []);
    assert.deepEqual(found(`${entry("a", tcp)}status: {addresses: [{value: 240.240.0.1, host: a.example.com}]}\n`), []);
  });

  test("must agree on the protocol of a host's port", () => {
    const same = (name: string, protocol: string, exportTo: string) =>
      entry(name, `{name: p, number: 443, protocol: ${protocol}}`, `, exportTo: ["${exportTo}"]`).replace(`[${name}.example.com]`, "[x.example.com]");
    assert.deepEqual(found(`${same("a", "TLS", "*")}---${same("b", "HTTP", ".")}`), [
      "IST0177 warning ServiceEntry shop/a spec.ports[0].protocol",
      "IST0177 warning ServiceEntry shop/b spec.ports[0].protocol",
    ]);
    assert.deepEqual(found(`${same("a", "TLS", "*")}---${same("b", "tls", "*")}`), []);
    assert.deepEqual(found(`${same("a", "TLS", "bank")}---${same("b", "HTTP", ".")}`), []);
  });
});

describe("objects that others of their kind shadow", () => {
  test("DestinationRules of one host lose a second policy, and subsets of a known name", () => {
    const rule = (name: string, more: string) => `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: ${name}, namespace: shop}
spec: {host: "*.example.com", trafficPolicy: {loadBalancer: {simple: RANDOM}}, subsets: [{name: v1}]${more}}
`;
    const codes = (text: string) => found(text).filter((line) => line.startsWith("ALM"));
    assert.deepEqual(codes(`${rule("a", "")}---${rule("b", "")}`), [
      "ALM0102 warning DestinationRule shop/b spec.subsets[0]",
      "ALM0102 warning DestinationRule shop/b spec.trafficPolicy",
    ]);
    assert.deepEqual(codes(`${rule("a", "")}---${rule("b", ', exportTo: ["."]')}`), []);
  });

  test("of PeerAuthentications for a whole namespace the oldest counts", () => {
    const policy = (name: string, more = "") => `
apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata: {name: ${name}, namespace: shop}
spec: {mtls: {mode: STRICT}${more}}
`;
    const selective = policy("c", ", selector: {matchLabels: {app: web}}");
    assert.deepEqual(found(`${policy("a")}---${policy("b")}---${selective}`), ["ALM0103 warning PeerAuthentication shop/b spec.selector"]);
  });
});
