import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@bufbuild/protobuf";
import type { NodeMessage } from "#core/node/message.ts";
import { translate } from "#core/pipeline/translate.ts";
import { answerJson } from "#functions/cli/answer-json.ts";
import { meshOf, podYaml, serviceYaml } from "#test/support/resolve.ts";

interface NodeFields {
  readonly name?: string;
  readonly address?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a proxyless client of namespace shop may ask for. */
function serve(yaml: string, { name = "caller", address = "10.1.0.9", metadata = {} }: NodeFields = {}) {
  const node: NodeMessage = {
    id: `sidecar~${address}~${name}.shop~shop.svc.cluster.local`,
    cluster: "",
    metadata: { NAMESPACE: "shop", CLUSTER_ID: "Kubernetes", GENERATOR: "grpc", ...metadata },
    locality: { region: "", zone: "", subzone: "" },
    userAgentName: "gRPC Go",
  };
  const answer = translate(meshOf(yaml), node);
  if ("error" in answer) throw new Error(answer.error);
  const json = answerJson(answer);
  return { json, names: (kind: string) => Object.keys(json[kind] ?? {}), text: (kind: string, key: string) => textOf(json[kind]?.[key]) };
}

function textOf(value: JsonValue | undefined): string {
  return JSON.stringify(value) ?? "";
}

const GREETER = podYaml("greeter-0", "10.1.0.1", { app: "greeter" }) + serviceYaml("greeter", [["greeter-0", "10.1.0.1"]]);
const HOST = "greeter.shop.svc.cluster.local";
const CLUSTER = `outbound|80||${HOST}`;

const rule = (policy: string) => `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: greeter, namespace: shop}
spec: {host: greeter, trafficPolicy: ${policy}}
---`;

test("a service has an API listener by each name that a client of its namespace knows it by", () => {
  const elsewhere = serviceYaml("ledger").replaceAll("namespace: shop", "namespace: bank");
  assert.deepEqual(
    serve(GREETER + elsewhere)
      .names("listeners")
      .sort(),
    ["greeter.shop.svc.cluster.local:80", "greeter.shop.svc:80", "greeter.shop:80", "greeter:80", "ledger.bank.svc.cluster.local:80"],
  );
});

test("listeners name routes, routes clusters, clusters endpoints, all by the cluster's name", () => {
  const { json, text } = serve(GREETER);
  assert.match(text("listeners", "greeter:80"), /"routeConfigName":"outbound\|80\|\|greeter\.shop\.svc\.cluster\.local"/);
  assert.deepEqual(
    [Object.keys(json.routes ?? {}), Object.keys(json.clusters ?? {}), Object.keys(json.endpoints ?? {})],
    [[CLUSTER], [CLUSTER], [CLUSTER]],
  );
});

test("routes have the virtual hosts of one host, with their ports", () => {
  const { json } = serve(GREETER + serviceYaml("other"));
  const text = JSON.stringify(json.routes?.[CLUSTER]);
  assert.equal(text.split('"domains"').length, 2);
  for (const domain of [`${HOST}:80`, "greeter:80", HOST]) assert.ok(text.includes(`"${domain}"`));
});

test("calls may take as long as the route says, and filters that gRPC doesn't know are left out", () => {
  const route = `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: greeter, namespace: shop}
spec:
  hosts: [greeter]
  http: [{route: [{destination: {host: greeter}}], timeout: 3s, corsPolicy: {allowOrigins: [{exact: a.example}]}, fault: {delay: {fixedDelay: 1s, percentage: {value: 1}}}}]
---`;
  const text = serve(GREETER + route).text("routes", CLUSTER);
  assert.match(text, /"maxStreamDuration":\{"maxStreamDuration":"3s"\}/);
  assert.match(text, /envoy\.filters\.http\.fault/);
  assert.doesNotMatch(text, /cors|maxGrpcTimeout/);
});

test("balancers that clients may not know are left to gRPC; a hash is a ring", () => {
  const balanced = (policy: string) => serve(GREETER + rule(`{loadBalancer: ${policy}}`)).text("clusters", CLUSTER);
  assert.doesNotMatch(balanced("{simple: LEAST_REQUEST}"), /lbPolicy/);
  assert.match(balanced("{consistentHash: {httpHeaderName: x, maglev: {tableSize: 101}}}"), /"lbPolicy":"RING_HASH"/);
});

test("only requests are limited", () => {
  const text = serve(GREETER + rule("{connectionPool: {tcp: {maxConnections: 5}, http: {http2MaxRequests: 7}}}")).text("clusters", CLUSTER);
  assert.match(text, /"circuitBreakers":\{"thresholds":\[\{"maxRequests":7\}\]\}/);
});

test("headless services have endpoints, and services found by DNS no cluster that gRPC refuses", () => {
  const headless = GREETER.replace(/clusterIP: \S+?,/, "clusterIP: None,");
  assert.deepEqual(serve(headless).names("endpoints"), [CLUSTER]);
  const dns = `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: dns, namespace: shop}
spec: {hosts: [dns.example], resolution: DNS, ports: [{number: 443, name: grpc, protocol: GRPC}]}
---`;
  assert.match(serve(dns).text("clusters", "outbound|443||dns.example"), /"type":"EDS"/);
});

test("mutual TLS where a rule asks for it, and only if the client has a certificate provider", () => {
  const mutual = GREETER + rule("{tls: {mode: ISTIO_MUTUAL}}");
  assert.doesNotMatch(serve(mutual).text("clusters", CLUSTER), /transportSocket/);
  const provided = serve(mutual, { metadata: { ISTIO_VERSION: "1.31.0" } }).text("clusters", CLUSTER);
  assert.match(provided, /"tlsCertificateProviderInstance":\{"instanceName":"default","certificateName":"default"\}/);
  assert.match(provided, /spiffe:\/\/cluster\.local\/ns\/shop\/sa\/greeter/);
  assert.doesNotMatch(serve(GREETER, { metadata: { ISTIO_VERSION: "1.31.0" } }).text("clusters", CLUSTER), /transportSocket/);
});

test("a server has listeners at the addresses where it may listen, in plain text or with mutual TLS", () => {
  const server = { name: "greeter-0", address: "10.1.0.1" };
  const inbound = (yaml: string, metadata: Readonly<Record<string, unknown>> = {}) => {
    const { json, names } = serve(yaml, { ...server, metadata });
    const own = names("listeners").filter((name) => name.startsWith("xds.istio.io/"));
    return { own, text: JSON.stringify(own.map((name) => json.listeners?.[name])) };
  };
  const plain = inbound(GREETER);
  for (const at of ["0.0.0.0:8080", "[::]:8080", "10.1.0.1:8080"]) assert.ok(plain.own.includes(`xds.istio.io/grpc/lds/inbound/${at}`));
  assert.match(plain.text, /"inbound-plaintext"/);
  const strict = `
apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata: {name: default, namespace: shop}
spec: {mtls: {mode: STRICT}}
---`;
  assert.deepEqual(inbound(GREETER + strict).own, []);
  assert.match(inbound(GREETER + strict, { ISTIO_VERSION: "1.31.0" }).text, /"inbound-mtls".*requireClientCertificate":true/);
  const labelled = GREETER.replace('"app":"greeter"', '"app":"greeter","security.istio.io/tlsMode":"istio"');
  assert.match(inbound(labelled, { ISTIO_VERSION: "1.31.0" }).text, /inbound-mtls/);
});
