import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, credentials } from "@grpc/grpc-js";
import { almanac } from "#test/support/almanac.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Greeter, greet, serveGreeter, startCalls, startGreeter } from "#test/support/greeter.ts";
import { http } from "#test/support/http.ts";
import { istio, type MeshFolder, placeOf, service } from "#test/support/mesh-folder.ts";
import { freePort } from "#test/support/ports.ts";
import { openStage, type Stage } from "#test/support/stage.ts";

const NAMESPACE = "shop";
const PORT = 8080;
const TARGET = `greeter.${NAMESPACE}.svc.cluster.local:${PORT}`;

describe("a proxyless gRPC client (grpc-js-xds) of a watched folder", { timeout: 90_000 }, () => {
  let stage: Stage;
  const greeters: Greeter[] = [];
  const clients: Client[] = [];
  let own = 0;

  const clientOf = (target: string): Client => {
    const client = new Client(`xds:///${target}`, credentials.createInsecure());
    clients.push(client);
    return client;
  };
  const writeGreeter = (folder: MeshFolder, ...at: readonly [greeter: number, version: string][]) =>
    folder.write("greeter", ...service("greeter", NAMESPACE, PORT, ...at.map(([one, version]) => placeOf(greeters[one], { version }))));
  const writeRoutes = (folder: MeshFolder, weight: number) => folder.write("routes", ...routes(weight));

  before(async () => {
    own = await freePort();
    greeters.push(...(await Promise.all(["v1", "v2", "spare"].map((name, at) => startGreeter(name, `127.0.0.${at + 2}`)))));
    stage = await openStage(async (folder) => {
      await writeGreeter(folder, [0, "v1"], [1, "v2"]);
      await writeRoutes(folder, 100);
      await folder.write("own", ownService(own));
    });
    for (const greeter of greeters) stage.use(greeter);
    const node = ["--name", "caller", "--namespace", NAMESPACE, "--label", "app=own"];
    const bootstrap = almanac(["bootstrap", "grpc", "--server", `127.0.0.1:${stage.serve.grpc}`, ...node]);
    assert.equal(await bootstrap.exited, 0, bootstrap.stderr());
    // Read once, when the package is loaded.
    process.env.GRPC_XDS_BOOTSTRAP_CONFIG = bootstrap.stdout();
    const { register } = await import("@grpc/grpc-js-xds");
    register();
  });
  after(async () => {
    for (const client of clients) client.close();
    await stage.close();
  });

  it("resolves a service by all its names", async () => {
    for (const target of [TARGET, `greeter:${PORT}`, `greeter.${NAMESPACE}:${PORT}`]) assert.equal(await greet(clientOf(target)), "v1");
  });

  it("tells calls apart by headers, and splits them by weight", async () => {
    const client = clientOf(TARGET);
    assert.equal(await greet(client, { "x-reader": "beta" }), "v2");
    await writeRoutes(stage.folder, 50);
    await eventually("both answer", async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => greet(client)));
      return new Set(answers).size === 2;
    });
  });

  it("follows endpoints without a failed call", async () => {
    const client = clientOf(TARGET);
    await writeRoutes(stage.folder, 100);
    await eventually("the first one answers", async () =>
      (await Promise.all(Array.from({ length: 20 }, () => greet(client)))).every((name) => name === "v1"),
    );
    const calls = startCalls(client);
    await writeGreeter(stage.folder, [2, "v1"], [1, "v2"]);
    await eventually("the spare answers", () => calls.last() === "spare");
    await writeGreeter(stage.folder, [0, "v1"], [1, "v2"]);
    await eventually("the first one answers again", () => calls.last() === "v1");
    await calls.stop();
    assert.deepEqual(calls.failures, []);
  });

  it("gives a server that asks for it its listener", async () => {
    const { XdsServer } = await import("@grpc/grpc-js-xds");
    const server = stage.use(await serveGreeter(new XdsServer(), "own", `127.0.0.1:${own}`));
    const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    clients.push(client);
    assert.equal(await greet(client), "own");
  });

  it("refused nothing", async () => {
    const { body } = await http(`${stage.serve.http}/metrics`);
    assert.deepEqual(
      body.split("\n").filter((line) => /^almanac_xds_nacks_total.* [1-9]/.test(line)),
      [],
    );
    assert.match((await http(`${stage.serve.http}/v1/nodes`)).body, /"dialect":"grpc"/);
  });
});

/** What the test's own process serves: its node has the label that is selected. */
function ownService(port: number) {
  const spec = { clusterIP: "10.96.0.9", selector: { app: "own" }, ports: [{ name: "grpc", port: PORT, targetPort: port }] };
  return { apiVersion: "v1", kind: "Service", metadata: { name: "own", namespace: NAMESPACE }, spec };
}

function routes(weight: number) {
  const to = (subset: string) => ({ host: "greeter", subset });
  return [
    istio("VirtualService", "greeter", NAMESPACE, {
      hosts: ["greeter"],
      http: [
        { match: [{ headers: { "x-reader": { exact: "beta" } } }], route: [{ destination: to("v2") }] },
        {
          route: [
            { destination: to("v1"), weight },
            { destination: to("v2"), weight: 100 - weight },
          ],
        },
      ],
    }),
    istio("DestinationRule", "greeter", NAMESPACE, {
      host: "greeter",
      subsets: [
        { name: "v1", labels: { version: "v1" } },
        { name: "v2", labels: { version: "v2" } },
      ],
    }),
  ];
}
