import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { grpcBootstrap, nodeJson } from "#functions/cli/bootstrap-documents.ts";
import { eventually } from "#test/support/eventually.ts";
import { apiListener, assignment, cluster, type HandMade, route } from "#test/support/hand-edition.ts";
import { HandSource } from "#test/support/hand-source.ts";
import { serveByHand, type TestServers } from "#test/support/xds-server.ts";

const TARGET = "greeter.shop.svc.cluster.local:80";
const METHOD = "/test.Greeter/Greet";
const same = (bytes: Buffer): Buffer => bytes;

/** A gRPC server that answers with its name. */
async function greeter(name: string): Promise<{ readonly port: number; readonly stop: () => void }> {
  const server = new Server();
  const rpc = {
    path: METHOD,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  server.addService({ Greet: rpc }, { Greet: (_: unknown, answer: (error: null, response: Buffer) => void) => answer(null, Buffer.from(name)) });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error === null ? resolve(bound) : reject(error))),
  );
  return { port, stop: () => server.forceShutdown() };
}

function greet(client: Client): Promise<string> {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + 5_000;
    client.makeUnaryRequest(METHOD, same, same, Buffer.alloc(0), { deadline }, (error: ServiceError | null, response?: Buffer) =>
      error === null ? resolve(String(response)) : reject(error),
    );
  });
}

describe("a proxyless gRPC client (grpc-js-xds)", { timeout: 60_000 }, () => {
  const source = new HandSource();
  let servers: TestServers;
  let one: Awaited<ReturnType<typeof greeter>>;
  let two: Awaited<ReturnType<typeof greeter>>;

  const mesh = (to: "one" | "two"): readonly HandMade[] => [
    apiListener(TARGET, "greeter"),
    route("greeter", to, { prefix: "" }),
    cluster(to),
    assignment(to, [(to === "one" ? one : two).port]),
    cluster("of no concern"),
  ];

  before(async () => {
    [one, two] = await Promise.all([greeter("one"), greeter("two")]);
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

/** Calls one after the other until stopped; none is retried. */
function startCalls(client: Client) {
  const failures: string[] = [];
  let last = "";
  let stopped = false;
  const calling = (async () => {
    while (!stopped) {
      try {
        last = await greet(client);
      } catch (error) {
        failures.push(String(error));
      }
    }
  })();
  return {
    failures,
    last: () => last,
    stop: () => {
      stopped = true;
      return calling;
    },
  };
}
