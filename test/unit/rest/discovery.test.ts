import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { openLog } from "#functions/io/log.ts";
import { openMetrics } from "#functions/io/metrics.ts";
import { httpApp } from "#functions/rest/app.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { DiscoveryRequestSchema, DiscoveryResponseSchema } from "#proto/envoy/service/discovery/v3/discovery_pb.js";
import { assignment, cluster, listener, route } from "#test/support/hand-edition.ts";
import { HandSource } from "#test/support/hand-source.ts";

const NODE = { id: "sidecar~10.0.0.1~web.shop~shop.svc.cluster.local" };

function appOf(source: HandSource) {
  return httpApp({ source, placer: source, nodes: () => [], metrics: openMetrics(), log: openLog({ write: () => {} }) });
}

function published(): HandSource {
  const source = new HandSource();
  source.publish([cluster("a"), cluster("b"), assignment("a", [8001]), listener("web", 80, "r"), route("r", "a")]);
  return source;
}

interface Body {
  readonly version_info: string;
  readonly type_url: string;
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly message: string;
}

async function post(
  app: ReturnType<typeof appOf>,
  type: string,
  body: unknown,
): Promise<{ status: number; body: Body; text: string; type: string | null }> {
  const response = await app.request(`/v3/discovery:${type}`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? ({} as Body) : (JSON.parse(text) as Body), text, type: response.headers.get("content-type") };
}

describe("REST discovery", () => {
  it("A83 A85 answers a poll with resources as JSON, typed, in snake case", async () => {
    const { status, body, type } = await post(appOf(published()), "clusters", {
      node: NODE,
      type_url: "type.googleapis.com/envoy.config.cluster.v3.Cluster",
    });
    assert.deepEqual([status, type], [200, "application/json"]);
    assert.deepEqual(
      body.resources.map(({ name }) => name),
      ["a", "b"],
    );
    assert.equal(body.resources[0]?.["@type"], "type.googleapis.com/envoy.config.cluster.v3.Cluster");
    assert.equal(body.resources[0]?.connect_timeout, "1s");
  });

  it("A84 reads lower camel case too, and leaves unread what it does not know", async () => {
    const app = appOf(published());
    const { body } = await post(app, "endpoints", {
      node: { ...NODE, extensions: [{ odd: 1 }] },
      resourceNames: ["a"],
      versionInfo: "",
      error_detail: { details: [{ "@type": "odd" }] },
    });
    assert.deepEqual(
      body.resources.map(({ cluster_name }) => cluster_name),
      ["a"],
    );
  });

  it("A86 A92 answers 304 without a body when the same set is asked for again, and only then", async () => {
    const app = appOf(published());
    const { version_info } = (await post(app, "endpoints", { node: NODE, resource_names: ["a"] })).body;
    const again = await post(app, "endpoints", { node: NODE, resource_names: ["a"], version_info });
    assert.deepEqual([again.status, again.text], [304, ""]);
    assert.equal((await post(app, "endpoints", { node: NODE, resource_names: ["a", "b"], version_info })).status, 200);
  });

  it("A88 answers exactly the names that are asked for, an empty assignment included", async () => {
    const app = appOf(published());
    const { body } = await post(app, "endpoints", { node: NODE, resource_names: ["b"] });
    assert.deepEqual(body.resources, [{ "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment", cluster_name: "b" }]);
    assert.deepEqual((await post(app, "routes", { node: NODE, resource_names: ["nope"] })).body.resources, []);
    assert.deepEqual((await post(app, "routes", { node: NODE })).body.resources, []);
  });

  it("A87 is not ready before there is an edition, and serves an empty one", async () => {
    const source = new HandSource();
    const app = appOf(source);
    assert.equal((await post(app, "clusters", { node: NODE })).status, 503);
    source.publish([]);
    const { status, body } = await post(app, "clusters", { node: NODE });
    assert.deepEqual([status, body.resources], [200, []]);
  });

  it("lets a client poll what resources say comes over the stream that it has not", async () => {
    const { text } = await post(appOf(published()), "clusters", { node: NODE });
    assert.ok(!text.includes('"ads"'));
    assert.match(
      text,
      /"eds_config":\{"resource_api_version":"V3","api_config_source":\{"api_type":"REST","transport_api_version":"V3","cluster_names":\["almanac"\]/,
    );
    assert.match(
      (await post(appOf(published()), "listeners", { node: NODE })).text,
      /"rds":\{"config_source":\{"resource_api_version":"V3","api_config_source"/,
    );
  });

  it("speaks protobuf to those who do", async () => {
    const app = appOf(published());
    const ask = async (body: Uint8Array) =>
      app.request("/v3/discovery:clusters", { method: "POST", headers: { "Content-Type": "application/x-protobuf" }, body: new Uint8Array(body) });
    const response = await ask(toBinary(DiscoveryRequestSchema, create(DiscoveryRequestSchema, { node: NODE })));
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "application/x-protobuf"]);
    const { resources, versionInfo } = fromBinary(DiscoveryResponseSchema, new Uint8Array(await response.arrayBuffer()));
    assert.deepEqual(
      resources.map((any) => anyUnpack(any, ClusterSchema)?.name),
      ["a", "b"],
    );
    assert.equal((await ask(toBinary(DiscoveryRequestSchema, create(DiscoveryRequestSchema, { node: NODE, versionInfo })))).status, 304);
    assert.equal((await ask(new Uint8Array([255, 255]))).status, 400);
  });

  it("A83 says clearly what is wrong with a request", async () => {
    const app = appOf(published());
    const said = async (type: string, body: unknown) => {
      const { status, body: answer } = await post(app, type, body);
      return [status, answer.message];
    };
    assert.deepEqual(await said("clusters", "{"), [400, "the body is not JSON"]);
    assert.deepEqual(await said("clusters", {}), [400, "the request must carry a node"]);
    assert.deepEqual(await said("clusters", { node: { id: "" } }), [400, "the node has no id"]);
    assert.deepEqual(await said("clusters", { node: NODE, resource_names: [1] }), [400, "resource_names must be a list of text"]);
    assert.equal((await said("clusters", { node: NODE, type_url: "other" }))[0], 400);
    assert.equal((await said("runtime", { node: NODE }))[0], 404);
    assert.equal((await app.request("/v3/discovery:clusters", { method: "PUT" })).status, 405);
  });

  it("serves GET for people and caches, with an entity tag, and never secrets", async () => {
    const app = appOf(published());
    const first = await app.request(`/v3/discovery:endpoints?node=${NODE.id}&name=a`);
    assert.equal(first.status, 200);
    const tag = first.headers.get("etag") ?? "";
    assert.equal((await app.request(`/v3/discovery:endpoints?node=${NODE.id}&name=a`, { headers: { "If-None-Match": tag } })).status, 304);
    assert.equal((await app.request(`/v3/discovery:secrets?node=${NODE.id}&name=a`)).status, 404);
    assert.equal((await post(app, "secrets", { node: NODE, resource_names: ["a"] })).status, 200);
  });
});

describe("probes and management", () => {
  it("is ready once an edition can be served, whatever the store does", async () => {
    const source = new HandSource();
    const app = appOf(source);
    assert.equal((await app.request("/ready")).status, 503);
    source.publish([]);
    source.trouble = "the store can't be reached";
    const ready = await app.request("/ready");
    assert.deepEqual([ready.status, await ready.json()], [200, { ready: true, generation: 1, trouble: "the store can't be reached" }]);
    assert.equal((await app.request("/healthz")).status, 200);
  });

  it("tells the edition, nodes, metrics and a page", async () => {
    const app = appOf(published());
    assert.equal(((await (await app.request("/v1/edition")).json()) as { generation: number }).generation, 1);
    assert.deepEqual(await (await app.request("/v1/nodes")).json(), { nodes: [] });
    assert.match((await app.request("/metrics")).headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.match(await (await app.request("/")).text(), /generation <strong>1<\/strong>/);
    assert.deepEqual(await (await app.request("/nowhere")).json(), { code: "not_found", message: "nothing is served at GET /nowhere" });
  });
});
