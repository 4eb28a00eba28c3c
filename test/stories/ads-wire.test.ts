import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { ruleOf } from "#core/xds/resource-rules.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { deltaClient, sotwClient } from "#test/support/ads-client.ts";
import { eventually } from "#test/support/eventually.ts";
import { assignment, cluster } from "#test/support/hand-edition.ts";
import { HandSource } from "#test/support/hand-source.ts";
import { serveByHand, type TestServers } from "#test/support/xds-server.ts";

const CDS = ruleOf("clusters").url;
const EDS = ruleOf("endpoints").url;
const NODE = { id: "sidecar~10.0.0.1~web.shop~shop.svc.cluster.local" };

describe("an aggregated stream over a real connection", () => {
  const source = new HandSource();
  let servers: TestServers;
  before(async () => {
    servers = await serveByHand(source);
    source.publish([cluster("a"), cluster("b"), assignment("a", [8001])]);
  });
  after(() => servers.stop());

  it("A7 answers state of the world with ready Any bytes, a nonce and who answers", async () => {
    const client = sotwClient(servers.grpc.port);
    client.ask({ node: NODE, typeUrl: CDS });
    const response = await client.response(0);
    assert.equal(response.typeUrl, CDS);
    assert.equal(response.controlPlane?.identifier, "almanac");
    assert.deepEqual(
      response.resources.map((any) => anyUnpack(any, ClusterSchema)?.name),
      ["a", "b"],
    );
    client.ask({ typeUrl: EDS, resourceNames: ["a", "b"] });
    const endpoints = await client.response(1);
    assert.deepEqual(
      endpoints.resources.map((any) => anyUnpack(any, ClusterLoadAssignmentSchema)).map((one) => [one?.clusterName, one?.endpoints.length]),
      [
        ["a", 1],
        ["b", 0],
      ],
    );
    client.close();
  });

  it("answers delta with names, versions and removals", async () => {
    const client = deltaClient(servers.grpc.port);
    client.ask({ node: NODE, typeUrl: CDS });
    client.ask({ typeUrl: CDS, resourceNamesSubscribe: ["x"] });
    const first = await client.response(0);
    assert.deepEqual(
      first.resources.map(({ name }) => name),
      ["a", "b"],
    );
    assert.ok(first.resources.every(({ version }) => version !== ""));
    assert.deepEqual((await client.response(1)).removedResources, ["x"]);
    client.close();
  });

  it("A9 refuses a first request without a node, and a node that can't be understood", async () => {
    const nobody = sotwClient(servers.grpc.port);
    nobody.ask({ typeUrl: CDS });
    const { code, details } = await nobody.failure();
    assert.deepEqual([code, details], [3, "the first request of a stream must carry a node"]);
    const strange = deltaClient(servers.grpc.port);
    strange.ask({ node: { id: "" }, typeUrl: CDS });
    assert.equal((await strange.failure()).code, 3);
  });

  it("refuses bytes that are no request, and a request without a type", async () => {
    const noise = sotwClient(servers.grpc.port);
    noise.send(new Uint8Array([255, 255, 255]));
    assert.deepEqual([(await noise.failure()).code, noise.error?.details], [3, "the message is not a discovery request"]);
    const vague = sotwClient(servers.grpc.port);
    vague.ask({ node: NODE });
    assert.equal((await vague.failure()).code, 3);
  });

  it("A11 keeps streams of one node apart", async () => {
    const one = sotwClient(servers.grpc.port);
    const two = sotwClient(servers.grpc.port);
    one.ask({ node: NODE, typeUrl: CDS });
    two.ask({ node: NODE, typeUrl: EDS, resourceNames: ["a"] });
    await one.response(0);
    await two.response(0);
    one.close();
    two.ask({ typeUrl: CDS });
    assert.equal((await two.response(1)).typeUrl, CDS);
    two.close();
  });

  it("A75 A76 lets go of everything when a client goes, in whichever way", async () => {
    await eventually("no seat is left", () => source.seats === 0);
    const half = sotwClient(servers.grpc.port);
    half.ask({ node: NODE, typeUrl: CDS });
    await half.response(0);
    half.stream.end();
    await eventually("the stream ends well", () => half.ended);
    assert.equal(half.error, undefined);
    const clients = Array.from({ length: 50 }, () => deltaClient(servers.grpc.port));
    for (const client of clients) client.ask({ node: NODE, typeUrl: CDS });
    await eventually("all are placed", () => source.seats === 50);
    for (const client of clients) client.close();
    await eventually("no seat is left", () => source.seats === 0);
  });

  it("A62 splits a large delta answer, and settles it as one", async () => {
    const big = Array.from({ length: 12 }, (_, index) => cluster(`big-${String(index).padStart(2, "0")}`, { altStatName: "x".repeat(1_000_000) }));
    source.publish(big);
    const client = deltaClient(servers.grpc.port);
    client.ask({ node: NODE, typeUrl: CDS });
    await eventually("all parts", () => client.responses.flatMap(({ resources }) => resources).length === 12);
    assert.ok(client.responses.length >= 4);
    assert.equal(new Set(client.responses.map(({ nonce }) => nonce)).size, client.responses.length);
    for (const { nonce } of client.responses) client.ask({ typeUrl: CDS, responseNonce: nonce });
    await eventually("acknowledged", async () => (await nodeTypes(servers)).some(({ status }) => status === "SYNCED"));
    client.close();
  });

  it("A74 a client that does not read costs no more for a hundred changes than for one, and then gets the last", async () => {
    source.publish([cluster("a", { altStatName: "first" })]);
    const client = sotwClient(servers.grpc.port);
    client.ask({ node: NODE, typeUrl: CDS });
    await client.response(0);
    client.stream.pause();
    client.ask({ typeUrl: CDS, responseNonce: client.responses[0]?.nonce ?? "" });
    for (let index = 0; index < 100; index++) {
      source.publish(Array.from({ length: 10 }, (_, one) => cluster(`a-${one}`, { altStatName: `${index} ${"y".repeat(100_000)}` })));
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.stream.resume();
    await client.response(1);
    client.ask({ typeUrl: CDS, responseNonce: client.responses[1]?.nonce ?? "" });
    const last = await client.response(2);
    const [any] = last.resources;
    assert.ok(any !== undefined && fromBinary(ClusterSchema, any.value).altStatName.startsWith("99 "));
    assert.equal(client.responses.length, 3);
    client.close();
  });

  it("shows nodes, what they have, and what they refused", async () => {
    source.publish([cluster("a")]);
    const client = sotwClient(servers.grpc.port);
    client.ask({ node: NODE, typeUrl: CDS });
    const { nonce, versionInfo } = await client.response(0);
    client.ask({ typeUrl: CDS, responseNonce: nonce, errorDetail: { code: 13, message: "x".repeat(100_000) } });
    const types = await eventually(
      "the refusal shows",
      async () => (await nodeTypes(servers)).filter(({ status }) => status === "ERROR")[0] !== undefined && nodeTypes(servers),
    );
    assert.equal(types[0]?.sentVersion, versionInfo);
    assert.equal(types[0]?.nacks, 1);
    const line = await eventually("a bounded log line", () => servers.logged.find((one) => one.includes("refused an answer")));
    assert.ok(line.length < 5_000);
    const metrics = await (await fetch(`http://127.0.0.1:${servers.metrics?.port}/metrics`)).text();
    assert.match(metrics, /almanac_xds_nacks_total\{type="clusters"\} 1/);
    client.close();
  });
});

interface ShownType {
  readonly status: string;
  readonly sentVersion: string;
  readonly nacks: number;
}

async function nodeTypes(servers: TestServers): Promise<readonly ShownType[]> {
  const answer = await fetch(`http://127.0.0.1:${servers.http.port}/v1/nodes`);
  const { nodes } = (await answer.json()) as { nodes: readonly { types: readonly ShownType[] }[] };
  return nodes.flatMap(({ types }) => types);
}
