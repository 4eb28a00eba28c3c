import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { connect, type PeerCertificate } from "node:tls";
import { certificateFile, keyFile, tlsSecret } from "#test/support/certificates.ts";
import type { Envoy } from "#test/support/envoy.ts";
import { eventually } from "#test/support/eventually.ts";
import { http } from "#test/support/http.ts";
import { istio, placeOf, service } from "#test/support/mesh-folder.ts";
import { freePort } from "#test/support/ports.ts";
import { assertNothingRefused, openStage, type Stage } from "#test/support/stage.ts";
import { startUpstream, type Upstream } from "#test/support/upstream.ts";

const NAMESPACE = "shop";
const HOST = "shop.example";
const PORT = 8000;

describe("a gateway with a certificate from a Secret", { timeout: 60_000 }, () => {
  let stage: Stage;
  let envoy: Envoy;
  let port = 0;

  before(async () => {
    const upstream = await startUpstream("shop", "127.0.0.2");
    port = await freePort();
    stage = await openStage(async (folder) => {
      await folder.write("shop", ...service("shop", NAMESPACE, PORT, placeOf(upstream)), ...httpsGateway(port));
      await folder.write("secret", tlsSecret("shop-certificate", NAMESPACE, "shop"));
    });
    stage.use(upstream);
    envoy = await stage.envoy(["--type", "router", "--name", "gateway", "--namespace", NAMESPACE, "--label", "istio=gateway"]);
  });
  after(() => stage.close());

  it("ends TLS with it, for the names that it serves", async () => {
    const { body, certificate } = await eventually("HTTPS is answered", () => https(port, HOST));
    assert.equal(body, "shop");
    assert.equal(certificate.subject.CN, HOST);
    await assert.rejects(https(port, "other.example"));
  });

  it("takes a renewed one without a restart", async () => {
    await stage.folder.write("secret", tlsSecret("shop-certificate", NAMESPACE, "shop-renewed"));
    await eventually("the renewed certificate is shown", async () => (await https(port, HOST)).certificate.subject.CN === `${HOST} renewed`);
  });

  it("refused nothing", () => assertNothingRefused(envoy, stage.serve));
});

describe("mutual TLS between proxies whose certificates are files", { timeout: 90_000 }, () => {
  let stage: Stage;
  let application: Upstream;
  let servicePort = 0;
  let ingressPort = 0;
  const envoys: Envoy[] = [];

  before(async () => {
    application = await startUpstream("reviews");
    [servicePort, ingressPort] = [await freePort(), await freePort()];
    stage = await openStage(async (folder) => {
      const place = { address: "127.0.0.5", port: ingressPort, labels: { "security.istio.io/tlsMode": "istio" } };
      await folder.write("reviews", ...service("reviews", NAMESPACE, servicePort, place), ...strictIngress(ingressPort, application.port));
    });
    stage.use(application);
  });
  after(() => stage.close());

  const server = ["--name", "reviews-0", "--namespace", NAMESPACE, "--address", "127.0.0.5"];
  const client = ["--namespace", NAMESPACE];
  const ask = () => http(`http://127.0.0.1:${servicePort}/`, { headers: { host: "reviews" } });
  const files = (side: "CLIENT" | "SERVER", name: "client" | "reviews") => [
    ...["--metadata", `TLS_${side}_CERT_CHAIN=${certificateFile(name)}`, "--metadata", `TLS_${side}_KEY=${keyFile(name)}`],
    ...["--metadata", `TLS_${side}_ROOT_CERT=${certificateFile("ca")}`],
  ];

  it("a server that must have it and can't is closed", async () => {
    const bare = await stage.envoy([...server]);
    await assert.rejects(http(`http://127.0.0.5:${ingressPort}/`));
    await assertNothingRefused(bare, stage.serve);
    await bare.stop();
  });

  it("speaks it with a certificate on both sides", async () => {
    envoys.push(
      await stage.envoy([...server, ...files("SERVER", "reviews")]),
      await stage.envoy([...client, "--name", "caller", ...files("CLIENT", "client")]),
    );
    await eventually("the server answers", async () => (await ask()).status === 200);
    for (let index = 0; index < 10; index++) assert.equal((await ask()).body, "reviews");
    const handshakes = await envoys[0]?.stats("ssl.handshake");
    assert.ok(Object.values(handshakes ?? {}).some((count) => count > 0));
  });

  it("lets nobody in without", async () => {
    await assert.rejects(http(`http://127.0.0.5:${ingressPort}/`));
  });

  it("refused nothing", async () => {
    for (const envoy of envoys) await assertNothingRefused(envoy, stage.serve);
  });
});

interface Https {
  readonly body: string;
  readonly certificate: PeerCertificate;
}

/** One request over TLS of its own; the server's certificate is checked. */
function https(port: number, host: string): Promise<Https> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, servername: host, ca: readFileSync(certificateFile("ca")), ALPNProtocols: ["http/1.1"] });
    let text = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error("no answer")));
    socket.on("secureConnect", () => socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`));
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const certificate = socket.getPeerCertificate();
      if (text.includes("\r\n\r\n")) resolve({ body: text.slice(text.indexOf("\r\n\r\n") + 4), certificate });
    });
    socket.on("close", () => reject(new Error("closed without an answer")));
  });
}

function httpsGateway(port: number) {
  const tls = { mode: "SIMPLE", credentialName: "shop-certificate" };
  return [
    istio("Gateway", "web", NAMESPACE, {
      selector: { istio: "gateway" },
      servers: [{ port: { number: port, name: "https", protocol: "HTTPS" }, hosts: [HOST], tls }],
    }),
    istio("VirtualService", "web", NAMESPACE, {
      hosts: [HOST],
      gateways: ["web"],
      http: [{ route: [{ destination: { host: "shop", port: { number: PORT } } }] }],
    }),
  ];
}

/** Who comes in at the pod's address must show a certificate; the application itself is behind, on the host. */
function strictIngress(port: number, application: number) {
  const ingress = [
    { port: { number: port, name: "http", protocol: "HTTP" }, bind: "127.0.0.5", captureMode: "NONE", defaultEndpoint: `127.0.0.1:${application}` },
  ];
  return [
    // It calls nobody: both proxies are on one host, and would share the caller's listener.
    istio("Sidecar", "reviews", NAMESPACE, { workloadSelector: { labels: { app: "reviews" } }, ingress, egress: [{ hosts: ["~/*"] }] }),
    {
      apiVersion: "security.istio.io/v1",
      kind: "PeerAuthentication",
      metadata: { name: "default", namespace: NAMESPACE },
      spec: { mtls: { mode: "STRICT" } },
    },
  ];
}
