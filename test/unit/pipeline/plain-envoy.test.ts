import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import { findFacts } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { ask } from "#core/pipeline/ask.ts";
import { compile } from "#core/pipeline/compile.ts";
import { served } from "#core/pipeline/translate.ts";
import { answerJson } from "#functions/cli/answer-json.ts";
import { meshOf, podYaml, serviceYaml } from "#test/support/resolve.ts";

interface NodeFields {
  readonly type?: "sidecar" | "router";
  readonly address?: string;
  readonly name?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly mesh?: Readonly<Record<string, unknown>>;
}

/** What a plain Envoy of namespace shop is sent, as `translate` prints it, and what its users are told. */
function serve(yaml: string, { type = "sidecar", address = "127.0.0.1", name = "client", metadata = {}, mesh: meshConfig }: NodeFields = {}) {
  const mesh = meshOf(yaml, meshConfig && { meshConfig });
  const id = `${type}~${address}~${name}.shop~shop.svc.cluster.local`;
  const node: NodeMessage = {
    id,
    cluster: "",
    metadata: { NAMESPACE: "shop", CLUSTER_ID: "Kubernetes", ...metadata },
    locality: { region: "", zone: "", subzone: "" },
    userAgentName: "envoy",
  };
  const facts = findFacts(node, resolveDirectory(mesh));
  if ("error" in facts) throw new Error(facts.error);
  const compilation = compile(mesh, [facts]);
  const json = answerJson(ask(served(compilation, facts)));
  const diagnostics: readonly Diagnostic[] = compilation.diagnostics;
  return { json, text: JSON.stringify(json), diagnostics, names: (kind: string) => Object.keys(json[kind] ?? {}) };
}

const CERTIFICATE = {
  TLS_CLIENT_CERT_CHAIN: "/certs/tls.crt",
  TLS_CLIENT_KEY: "/certs/tls.key",
  TLS_CLIENT_ROOT_CERT: "/certs/ca.crt",
  TLS_SERVER_CERT_CHAIN: "/certs/tls.crt",
  TLS_SERVER_KEY: "/certs/tls.key",
  TLS_SERVER_ROOT_CERT: "/certs/ca.crt",
};

const REVIEWS =
  podYaml("reviews-0", "10.1.0.1", { app: "reviews", "security.istio.io/tlsMode": "istio" }) + serviceYaml("reviews", [["reviews-0", "10.1.0.1"]]);
const CLUSTER = "outbound|80||reviews.shop.svc.cluster.local";

const STRICT = `
apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata: {name: default, namespace: shop}
spec: {mtls: {mode: STRICT}}
---`;

describe("where a plain Envoy without redirection listens", () => {
  test("on this host's loopback address, at each service's port", () => {
    assert.deepEqual(serve(REVIEWS).names("listeners"), ["127.0.0.1_80"]);
  });

  test("not on privileged ports without privileges, nor on its own", () => {
    assert.deepEqual(serve(REVIEWS, { metadata: { UNPRIVILEGED_POD: "true" } }).names("listeners"), []);
    assert.deepEqual(serve(REVIEWS, { metadata: { ENVOY_ADMIN_PORT: 80 } }).names("listeners"), []);
    const admin = REVIEWS.replaceAll("port: 80,", "port: 15000,");
    assert.deepEqual(serve(admin).names("listeners"), []);
  });

  test("not where the workload itself answers, unless that stands at another loopback address", () => {
    const own = podYaml("web-0", "10.1.0.9", { app: "web" }) + serviceYaml("web", [["web-0", "10.1.0.9"]]).replaceAll("port: 80,", "port: 8080,");
    assert.deepEqual(serve(REVIEWS + own).names("listeners"), ["127.0.0.1_80", "127.0.0.1_8080"]);
    assert.deepEqual(serve(REVIEWS + own, { name: "web-0", address: "10.1.0.9" }).names("listeners"), ["127.0.0.1_80"]);
    assert.deepEqual(serve(REVIEWS + own, { name: "web-0", address: "127.0.1.9" }).names("listeners"), ["127.0.0.1_80", "127.0.0.1_8080"]);
  });

  test("not where an endpoint stands on the same host", () => {
    const local = (address: string) => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: local, namespace: shop}
spec: {hosts: [local.example], resolution: STATIC, ports: [{number: 7000, name: http, protocol: HTTP}], endpoints: [{address: ${address}}]}
---`;
    assert.deepEqual(serve(local("127.0.0.1")).names("listeners"), []);
    assert.deepEqual(serve(local("127.0.0.2")).names("listeners"), ["127.0.0.1_7000"]);
  });

  test("nothing is captured until metadata say how", () => {
    const { names } = serve(REVIEWS, { metadata: { INTERCEPTION_MODE: "REDIRECT" } });
    assert.deepEqual(names("listeners").sort(), ["0.0.0.0_80", "virtualInbound", "virtualOutbound"]);
  });

  test("ingress listeners with a bind of their own, which isn't the application's", () => {
    const ingress = (listener: string) => `
apiVersion: networking.istio.io/v1
kind: Sidecar
metadata: {name: default, namespace: shop}
spec: {egress: [{hosts: ["~/*"]}], ingress: [${listener}]}
---`;
    const listeners = (listener: string) => serve(REVIEWS + ingress(listener)).names("listeners");
    assert.deepEqual(listeners('{port: {number: 9080, name: http, protocol: HTTP}, bind: 10.1.0.9, defaultEndpoint: "127.0.0.1:8080"}'), [
      "10.1.0.9_9080",
    ]);
    assert.deepEqual(listeners('{port: {number: 9080, name: http, protocol: HTTP}, defaultEndpoint: "127.0.0.1:8080"}'), []);
    assert.deepEqual(listeners('{port: {number: 9080, name: http, protocol: HTTP}, bind: 0.0.0.0, defaultEndpoint: "127.0.0.1:9080"}'), []);
    assert.deepEqual(listeners('{port: {number: 9080, name: http, protocol: HTTP}, bind: 127.0.0.2, defaultEndpoint: "127.0.0.1:9080"}'), [
      "127.0.0.2_9080",
    ]);
  });

  test("services of one port meet there: HTTP is told apart by host, also where it is only recognised, and TLS by server name", () => {
    const undeclared = (yaml: string) => yaml.replaceAll("name: http", "name: any");
    const { json, names } = serve(undeclared(serviceYaml("a") + serviceYaml("b")) + serviceYaml("c"));
    assert.deepEqual(names("listeners"), ["127.0.0.1_80"]);
    assert.deepEqual(names("routes"), ["80"]);
    for (const host of ["a", "b", "c"]) assert.ok(JSON.stringify(json.routes).includes(`"${host}.shop.svc.cluster.local"`));
    const tls = (name: string) => serviceYaml(name).replaceAll("name: http", "name: https");
    const secure = JSON.stringify(serve(tls("a") + tls("b")).json.listeners);
    for (const host of ["a", "b"]) assert.ok(secure.includes(`"serverNames":["${host}.shop.svc.cluster.local"]`));
  });

  test("a router keeps off its own ports too", () => {
    const gateway = (port: number) => `
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: web, namespace: shop}
spec: {selector: {istio: gateway}, servers: [{port: {number: ${port}, name: http, protocol: HTTP}, hosts: ["*"]}]}
---`;
    const router = { type: "router", metadata: { LABELS: { istio: "gateway" } } } as const;
    assert.deepEqual(serve(gateway(8443), router).names("listeners"), ["0.0.0.0_8443"]);
    assert.deepEqual(serve(gateway(15000), router).names("listeners"), []);
  });
});

describe("what a plain Envoy speaks", () => {
  test("hosts of headless services come by EDS, since nobody knows where a connection was going", () => {
    const headless = REVIEWS.replace(/clusterIP: \S+?,/, "clusterIP: None,");
    assert.match(JSON.stringify(serve(headless).json.clusters?.[CLUSTER]), /"type":"EDS"/);
    const captured = serve(headless, { metadata: { INTERCEPTION_MODE: "REDIRECT" } });
    assert.match(JSON.stringify(captured.json.clusters?.[CLUSTER]), /"type":"ORIGINAL_DST"/);
  });

  test("plain text without a certificate; who insists on more is told", () => {
    const rule = `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: reviews, namespace: shop}
spec: {host: reviews, trafficPolicy: {tls: {mode: ISTIO_MUTUAL}}}
---`;
    const { json, diagnostics } = serve(REVIEWS + STRICT + rule);
    assert.doesNotMatch(JSON.stringify(json.clusters), /transportSocket/);
    assert.deepEqual(
      diagnostics.map(({ code, key }) => [code, key.kind]),
      [
        ["ALM0701", "DestinationRule"],
        ["ALM0701", "PeerAuthentication"],
      ],
    );
    assert.deepEqual(serve(REVIEWS + STRICT + rule, { metadata: CERTIFICATE }).diagnostics, []);
  });

  test("mutual TLS with files that metadata name, as secrets on its own stream that are read again when they change", () => {
    const { json, text } = serve(REVIEWS, { metadata: CERTIFICATE });
    const names = ["file-cert:/certs/tls.crt~/certs/tls.key", "file-root:/certs/ca.crt"];
    assert.deepEqual(Object.keys(json.secrets ?? {}).sort(), names);
    assert.match(text, /"watchedDirectory":\{"path":"\/certs"\}/);
    assert.match(text, /"alpnProtocols":\["istio"\]/);
    assert.doesNotMatch(text, /sds-grpc/);
  });

  test("or with a Secret of its namespace", () => {
    const secret = `
apiVersion: v1
kind: Secret
metadata: {name: identity, namespace: shop}
data: {tls.crt: YQ==, tls.key: Yg==, ca.crt: Yw==}
---`;
    const { names } = serve(REVIEWS + secret, { metadata: { TLS_CREDENTIAL: "identity" } });
    assert.deepEqual(names("secrets"), ["kubernetes://identity", "kubernetes://identity-cacert"]);
  });

  test("half a certificate is none", () => {
    const { TLS_CLIENT_ROOT_CERT: _, ...half } = CERTIFICATE;
    assert.doesNotMatch(serve(REVIEWS, { metadata: half }).text, /transportSocketMatches/);
  });

  test("ports that insist on mutual TLS are closed where it can't be had, captured or not", () => {
    const captured = serve(REVIEWS + STRICT, { name: "reviews-0", address: "10.1.0.1", metadata: { INTERCEPTION_MODE: "REDIRECT" } });
    const inbound = JSON.stringify(captured.json.listeners?.virtualInbound);
    assert.doesNotMatch(inbound, /inbound\|8080|InboundPassthroughCluster|transportSocket/);
    assert.match(inbound, /BlackHoleCluster/);
    assert.ok(captured.diagnostics.some(({ code, message }) => code === "ALM0701" && message.includes("closed")));
    const open = serve(REVIEWS, { name: "reviews-0", address: "10.1.0.1", metadata: { INTERCEPTION_MODE: "REDIRECT" } });
    assert.match(JSON.stringify(open.json.listeners?.virtualInbound), /inbound\|8080/);
  });

  test("nothing that only Istio's proxy has", () => {
    const mesh = { defaultProviders: { metrics: ["prometheus"] }, enableEnvoyAccessLogService: true, accessLogFile: "/dev/stdout" };
    for (const metadata of [{}, { INTERCEPTION_MODE: "REDIRECT" }, { ...CERTIFICATE, INTERCEPTION_MODE: "TPROXY" }]) {
      const { text } = serve(REVIEWS, { metadata, mesh });
      assert.doesNotMatch(text, /istio\.(metadata_exchange|alpn|stats)|peer_metadata|sds-grpc|envoy_accesslog_service|alpnProtocols":\["istio-peer/);
    }
  });
});

describe("what istiod sends though an Envoy refuses it", () => {
  const dynamic = (protocol: string): string => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: any, namespace: shop}
spec: {hosts: ["*.example.com"], ports: [{number: 80, name: p, protocol: ${protocol}}], resolution: DYNAMIC_DNS}
---`;

  test("names of servers are derived for whatever host a request names, over HTTP/2 without TLS too", () => {
    const cluster = (protocol: string) => JSON.stringify(serve(dynamic(protocol)).json.clusters?.["outbound|80||*.example.com"]);
    assert.match(cluster("GRPC"), /"autoSni":true,"autoSanValidation":true/);
    assert.doesNotMatch(cluster("HTTP"), /autoSni/);
  });

  test("a service with target port 0 has no inbound chain, which would match like the one for all ports", () => {
    const zero = REVIEWS.replaceAll("targetPort: 8080", "targetPort: 0").replaceAll("port: 8080", "port: 0");
    const metadata = { INTERCEPTION_MODE: "REDIRECT", ENVOY_STATUS_PORT: 15021, ENVOY_PROMETHEUS_PORT: 15090 };
    const { text } = serve(zero, { name: "reviews-0", address: "10.1.0.1", metadata });
    assert.doesNotMatch(text, /0\.0\.0\.0_0"/);
    assert.match(text, /virtualInbound/);
  });
});
