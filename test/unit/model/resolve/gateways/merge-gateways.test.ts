import assert from "node:assert/strict";
import { test } from "node:test";
import type { Gateway, GatewayServer, ServerTls } from "#core/model/gateway.ts";
import type { Protocol } from "#core/model/protocol.ts";
import { mergeGateways } from "#core/model/resolve/gateways/merge-gateways.ts";
import { httpPort, service } from "#test/support/scope.ts";

const TLS: ServerTls = {
  httpsRedirect: false,
  mode: "SIMPLE",
  certificates: [],
  caCertificates: "",
  caCrl: "",
  credentialName: "cert",
  credentialNames: [],
  caCertCredentialName: "",
  subjectAltNames: [],
  verifyCertificateSpki: [],
  verifyCertificateHash: [],
  minProtocolVersion: "TLS_AUTO",
  maxProtocolVersion: "TLS_AUTO",
  cipherSuites: [],
  insecureSkipVerify: false,
};

function server(number: number, protocol: Protocol, fields: Partial<GatewayServer> = {}): GatewayServer {
  return {
    name: "",
    port: { number, protocol, protocolText: protocol, name: `${protocol}-${number}`.toLowerCase() },
    bind: "",
    hosts: ["*"],
    ...fields,
  };
}

function gateway(name: string, ...servers: GatewayServer[]): Gateway {
  return { name, namespace: "edge", selector: {}, servers, sources: [] };
}

function portsOf(...gateways: Gateway[]): [string, number][] {
  return mergeGateways(gateways, []).ports.map((port) => [`${port.bind}:${port.number} ${port.protocol}`, port.servers.length]);
}

test("plain HTTP servers of one port share a listener and a table of routes", () => {
  const merged = mergeGateways([gateway("a", server(80, "HTTP")), gateway("b", server(80, "HTTP2"))], []);
  assert.deepEqual(portsOf(gateway("a", server(80, "HTTP")), gateway("b", server(80, "HTTP2"))), [[":80 HTTP", 2]]);
  assert.deepEqual([...merged.routeTables.keys()], ["http.80"]);
});

test("what can't share a plaintext port comes too late, unless its address is another", () => {
  const http = gateway("a", server(80, "HTTP"));
  assert.deepEqual(portsOf(http, gateway("b", server(80, "TCP"))), [[":80 HTTP", 1]]);
  assert.deepEqual(portsOf(http, gateway("b", server(80, "TCP", { bind: "10.0.0.1" }))), [
    [":80 HTTP", 1],
    ["10.0.0.1:80 TCP", 1],
  ]);
});

test("a TLS server with a host that is taken at its address is left out whole", () => {
  const first = server(443, "HTTPS", { hosts: ["a.com"], tls: TLS });
  const second = server(443, "HTTPS", { hosts: ["b.com", "a.com"], tls: TLS });
  const third = server(443, "HTTPS", { hosts: ["b.com"], tls: TLS });
  const { routeTables } = mergeGateways([gateway("a", first), gateway("b", second), gateway("c", third)], []);
  assert.deepEqual([...routeTables.keys()], ["https.443.https-443.a.edge", "https.443.https-443.c.edge"]);
});

test("redirecting HTTP servers count as TLS servers when hosts are compared, and are plaintext otherwise", () => {
  const redirect = server(80, "HTTP", { hosts: ["a.com"], tls: { ...TLS, httpsRedirect: true } });
  assert.deepEqual(portsOf(gateway("a", redirect), gateway("b", redirect)), [[":80 HTTP", 1]]);
  assert.deepEqual(portsOf(gateway("a", redirect), gateway("b", server(80, "HTTP", { hosts: ["a.com"] }))), [[":80 HTTP", 2]]);
});

test("a server listens on the target port of the first Service that has its port", () => {
  const target = { service: service("gw.edge.svc.cluster.local"), port: httpPort(80), targetPort: 8080, ruleSources: [] };
  const disabled = {
    ...target,
    service: service("x.edge.svc.cluster.local", { labels: { "experimental.istio.io/disable-gateway-port-translation": "" } }),
    targetPort: 9999,
  };
  const { ports, routeTables } = mergeGateways([gateway("a", server(80, "HTTP"), server(81, "HTTP"))], [disabled, target]);
  assert.deepEqual(
    ports.map(({ number }) => number),
    [8080, 81],
  );
  assert.deepEqual([...routeTables.keys()], ["http.8080", "http.81"]);
});

test("server names leave namespaces out, each once and sorted", () => {
  const { ports } = mergeGateways([gateway("a", server(443, "TLS", { hosts: ["x/b.com", "y/b.com", "a.com"], tls: TLS }))], []);
  assert.deepEqual(ports[0]?.servers[0]?.serverNames, ["a.com", "b.com"]);
});
