import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, credentials } from "@grpc/grpc-js";
import { grpcBootstrap, nodeJson } from "#functions/cli/bootstrap-documents.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Greeter, greet, startCalls, startGreeter } from "#test/support/greeter.ts";
import { apiListener, assignment, cluster, type HandMade, route } from "#test/support/hand-edition.ts";
import { HandSource } from "#test/support/hand-source.ts";
import { serveByHand, type TestServers } from "#test/support/xds-server.ts";

const TARGET = "greeter.shop.svc.cluster.local:80";
describe("a proxyless gRPC client (grpc-js-xds)", { timeout: 60_000 }, () => {
  const source = new HandSource();
  let servers: TestServers;
  let one: Greeter;
  let two: Greeter;

  const mesh = (to: "one" | "two"): readonly HandMade[] => [
    apiListener(TARGET, "greeter"),
    route("greeter", to, { prefix: "" }),
    cluster(to),
    assignment(to, [(to === "one" ? one : two).port]),
    cluster("of no concern"),
  ];

  before(async () => {
    [one, two] = await Promise.all([startGreeter("one"), startGreeter("two")]);
    source.publish(mesh("one"));
    servers = await serveByHand(source);
    const node = nodeJson({
      type: "sidecar",
      name: "caller",
      namespace: "shop",
      address: "127.0.0.1",
      cluster: "Kubernetes",
      domain: "cluster.local",
      labels: {},
      metadata: {},
      locality: "",
    });
    // Read once, when the package is loaded.
    process.env.GRPC_XDS_BOOTSTRAP_CONFIG = JSON.stringify(grpcBootstrap(node, servers.grpc));
    const { register } = await import("@grpc/grpc-js-xds");
    register();
  });
  after(async () => {
    await servers.stop();
    one.stop();
    two.stop();
  });

  it("resolves a service, and follows routes to new clusters and endpoints to new ports without a failed call", async () => {
    const client = new Client(`xds:///${TARGET}`, credentials.createInsecure());
    assert.equal(await greet(client), "one");
    const calls = startCalls(client);
    for (const to of ["two", "one", "two"] as const) {
      source.publish(mesh(to));
      await eventually(`calls reach ${to}`, () => calls.last() === to);
    }
    source.publish([...mesh("two").filter(({ type }) => type !== "endpoints"), assignment("two", [one.port])]);
    await eventually("calls follow the endpoint", () => calls.last() === "one");
    await calls.stop();
    client.close();
    assert.deepEqual(calls.failures, []);
    assert.equal(source.placed[0]?.userAgentName, "gRPC Node Pure JS");
    assert.deepEqual(
      servers.logged.filter((line) => line.includes("refused")),
      [],
    );
  });
});
