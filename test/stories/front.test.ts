import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { findFacts } from "#core/node/find-facts.ts";
import { readNodeMessage } from "#core/node/message.ts";
import { layerKey, place, placeScope } from "#core/node/place.ts";
import { ruleOf } from "#core/xds/resource-rules.ts";
import { nodeJson } from "#functions/cli/bootstrap-documents.ts";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { deltaClient } from "#test/support/ads-client.ts";
import { almanac, startServing } from "#test/support/almanac.ts";
import { eventually } from "#test/support/eventually.ts";
import { storeOfFormatOne } from "#test/support/format-one.ts";
import { http } from "#test/support/http.ts";
import { NO_RULES } from "#test/support/rules.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/bookshop", import.meta.url));
const CDS = ruleOf("clusters").url;
const RDS = ruleOf("routes").url;

/** Hosts of a route table of some 80 KB. */
const HOSTS = 3_000;

function node(name: string): Readonly<Record<string, unknown>> {
  return nodeJson({
    type: "sidecar",
    name,
    namespace: "bookshop",
    address: "10.9.9.9",
    cluster: "Kubernetes",
    domain: "cluster.local",
    labels: {},
    metadata: {},
    locality: "",
  });
}

/** With a route table for the known node. */
function oldStore(): ReadonlyMap<string, Uint8Array> {
  const message = readNodeMessage(node("known"));
  assert.ok(!("error" in message));
  const facts = findFacts(message, { entries: [], byName: () => undefined, byAddress: () => undefined });
  assert.ok(!("error" in facts));
  const scope = layerKey("scope", placeScope(facts, NO_RULES));
  const reads = { vantage: [], ownAddressListeners: [], bindsOwnAddress: false };
  const placed = place(facts, { ...NO_RULES, scopeReads: { [scope]: reads } });
  assert.ok(!("wanted" in placed));
  const virtualHosts = Array.from({ length: HOSTS }, (_, index) => ({ name: `host ${index}`, domains: [`${index}.example`] }));
  const any = anyPack(RouteConfigurationSchema, create(RouteConfigurationSchema, { name: "80", virtualHosts }));
  const table = { type: "routes", name: "80", bytes: toBinary(AnySchema, any), clusters: [], from: [] };
  const { rootNamespace, sourceSelectors, gatewaySelectors, generalReads } = NO_RULES;
  return storeOfFormatOne({
    layers: Object.fromEntries(placed.layers.map(({ kind, key }) => [key, kind === "scope" ? [table] : []])),
    rules: { rootNamespace, sourceSelectors, gatewaySelectors, generalReads, [`scopeReads/${scope}`]: reads },
    inventory: {},
  });
}

describe("almanac front", { timeout: 120_000 }, () => {
  let folder = "";
  let store = "";

  const build = async (dir = EXAMPLE): Promise<void> => {
    const file = join(folder, "node.json");
    await writeFile(file, JSON.stringify(node("known")));
    const child = almanac(["build", dir, "--store", store, "--node", `known=${file}`]);
    assert.equal(await child.exited, 0, child.stderr());
  };
  const clustersOf = async (grpc: number, name = "known"): Promise<readonly string[]> => {
    const client = deltaClient(grpc);
    const { id, cluster } = node(name) as { id: string; cluster: string };
    client.ask({ node: { id, cluster, metadata: node(name).metadata as never }, typeUrl: CDS });
    const { resources } = await client.response(0);
    client.close();
    return resources.map((resource) => resource.name);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "almanac-front-"));
    store = join(folder, "store");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("listens before there is an edition, and serves one as soon as it is published", async () => {
    const front = await startServing(["front", "--store", store, "--poll-interval", "100ms"]);
    try {
      assert.match(front.process.stdout(), /^grpc 127\.0\.0\.1:\d+\nhttp 127\.0\.0\.1:\d+\nmetrics off\n$/);
      assert.equal((await http(`${front.http}/ready`)).status, 503);
      await build();
      await eventually("it is ready", async () => (await http(`${front.http}/ready`)).status === 200);
      assert.match(front.process.stdout(), /\nready edition 1\n$/);
      assert.ok((await clustersOf(front.grpc)).includes("PassthroughCluster"));
    } finally {
      assert.equal(await front.process.stop(), 0);
    }
  });

  it("leaves word of a node that nothing is compiled for", async () => {
    const front = await startServing(["front", "--store", store, "--poll-interval", "100ms"]);
    try {
      const stranger = {
        ...node("stranger"),
        id: "sidecar~10.9.9.8~stranger.elsewhere~elsewhere.svc.cluster.local",
        metadata: { NAMESPACE: "elsewhere" },
      };
      const client = deltaClient(front.grpc);
      client.ask({ node: { id: stranger.id, metadata: stranger.metadata }, typeUrl: CDS });
      const word = await eventually("word is left", async () => (await readdir(join(store, "wanted")).catch(() => []))[0]);
      const left = JSON.parse(await readFile(join(store, "wanted", word), "utf8")) as { node: { id: string } };
      assert.equal(left.node.id, stranger.id);
      client.close();
    } finally {
      await front.process.stop();
    }
  });

  it("restarts without its store from the folder that it keeps, and says so", async () => {
    const cache = join(folder, "cache");
    const args = ["front", "--store", store, "--cache", cache, "--poll-interval", "100ms"];
    const first = await startServing(args);
    await eventually("it is ready", async () => (await http(`${first.http}/ready`)).status === 200);
    await first.process.stop();
    await rename(store, `${store}-gone`);
    await writeFile(store, "not a folder any more");
    const second = await startServing(args);
    try {
      await eventually("it is ready", async () => (await http(`${second.http}/ready`)).status === 200);
      assert.ok((await clustersOf(second.grpc)).includes("PassthroughCluster"));
      assert.match((await http(`${second.http}/ready`)).body, /the store can't be reached/);
    } finally {
      await second.process.stop();
      await rm(store);
      await rename(`${store}-gone`, store);
    }
  });

  it("serves a store that a release before route tables in pieces left", async () => {
    const old = join(folder, "old");
    for (const [key, bytes] of oldStore()) {
      await mkdir(dirname(join(old, key)), { recursive: true });
      await writeFile(join(old, key), bytes);
    }
    const front = await startServing(["front", "--store", old, "--poll-interval", "100ms"]);
    const client = deltaClient(front.grpc);
    try {
      client.ask({ node: { id: String(node("known").id), metadata: node("known").metadata as never }, typeUrl: RDS, resourceNamesSubscribe: ["80"] });
      const [table] = (await client.response(0)).resources;
      assert.equal(table?.name, "80");
      const { virtualHosts } = fromBinary(RouteConfigurationSchema, table?.resource?.value ?? new Uint8Array());
      assert.deepEqual([virtualHosts.length, virtualHosts.at(-1)?.domains], [HOSTS, [`${HOSTS - 1}.example`]]);
    } finally {
      client.close();
      await front.process.stop();
    }
  });

  it("never goes back in generation", async () => {
    const front = await startServing(["front", "--store", store, "--poll-interval", "100ms"]);
    try {
      const old = await readFile(join(store, "root"));
      await cp(EXAMPLE, join(folder, "changed"), { recursive: true });
      await writeFile(
        join(folder, "changed", "more.yaml"),
        "apiVersion: v1\nkind: Service\nmetadata: {name: more, namespace: bookshop}\nspec: {clusterIP: 10.0.0.77, ports: [{port: 80}]}\n",
      );
      await build(join(folder, "changed"));
      await eventually("the new edition is served", async () => (await http(`${front.http}/ready`)).body.includes('"generation":2'));
      await writeFile(join(store, "root"), old);
      await eventually("it says what is wrong", async () => (await http(`${front.http}/ready`)).body.includes("has gone back to generation 1"));
      assert.ok((await clustersOf(front.grpc)).includes("outbound|80||more.bookshop.svc.cluster.local"));
    } finally {
      await front.process.stop();
    }
  });

  it("refuses an address that is in use, except the default one for metrics", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const on = (flags: Readonly<Record<string, string>>) =>
      almanac([
        "front",
        "--store",
        store,
        ...Object.entries({ "--grpc": "127.0.0.1:0", "--http": "127.0.0.1:0", "--metrics": "off", ...flags }).flat(),
      ]);
    for (const option of ["--grpc", "--http", "--metrics"]) {
      const child = on({ [option]: `127.0.0.1:${port}` });
      assert.equal(await child.exited, 1);
      assert.equal(child.stderr().split("\n").at(-2), `almanac: ${option} 127.0.0.1:${port} is in use`);
    }
    taken.close();
    const wrong = on({ "--grpc": "nonsense" });
    assert.equal(await wrong.exited, 1);
    assert.match(wrong.stderr(), /--grpc nonsense: wanted HOST:PORT/);
  });
});
