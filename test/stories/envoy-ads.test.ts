import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { envoyBootstrap, nodeJson, type Transport } from "#functions/cli/bootstrap-documents.ts";
import { type Envoy, startEnvoy } from "#test/support/envoy.ts";
import { eventually } from "#test/support/eventually.ts";
import { assignment, cluster, type HandMade, listener, route } from "#test/support/hand-edition.ts";
import { HandSource } from "#test/support/hand-source.ts";
import { http } from "#test/support/http.ts";
import { startLoad } from "#test/support/load.ts";
import { freePort } from "#test/support/ports.ts";
import { startUpstream, type Upstream } from "#test/support/upstream.ts";
import { serveByHand, type TestServers } from "#test/support/xds-server.ts";

const NODE = nodeJson({
  type: "router",
  name: "gateway",
  namespace: "edge",
  address: "127.0.0.1",
  cluster: "Kubernetes",
  domain: "cluster.local",
  labels: { app: "gateway" },
  metadata: {},
  locality: "here",
});

/** A server, two upstreams and an Envoy that has everything from it. */
interface Stage {
  readonly source: HandSource;
  servers: TestServers;
  readonly envoy: Envoy;
  readonly upstreams: Readonly<Record<"one" | "two", Upstream>>;
  readonly port: number;
  readonly url: string;
  /** One listener, its route to cluster `to`, and that cluster. */
  readonly mesh: (to: "one" | "two", v?: number, more?: readonly HandMade[]) => readonly HandMade[];
}

async function withStage(transport: Transport, act: (stage: Stage) => Promise<void>): Promise<void> {
  const source = new HandSource();
  const upstreams = { one: await startUpstream("one"), two: await startUpstream("two") };
  const port = await freePort();
  const mesh: Stage["mesh"] = (to, v = 1, more = []) => [
    cluster(to, { altStatName: `${to}-${v}` }),
    assignment(to, [upstreams[to].port]),
    listener("web", port, "web"),
    route("web", to),
    ...more,
  ];
  source.publish(mesh("one"));
  const servers = await serveByHand(source);
  const server = transport === "rest" ? servers.http : servers.grpc;
  const envoy = await startEnvoy(envoyBootstrap(NODE, { server, admin: { host: "127.0.0.1", port: 0 }, transport }));
  const stage: Stage = { source, servers, envoy, upstreams, port, url: `http://127.0.0.1:${port}/`, mesh };
  try {
    await eventually("Envoy answers", async () => (await http(stage.url)).body === "one");
    await act(stage);
  } finally {
    await envoy.stop();
    await stage.servers.stop();
    await Promise.all([upstreams.one.stop(), upstreams.two.stop()]);
  }
}

async function refusals(envoy: Envoy): Promise<Readonly<Record<string, number>>> {
  const stats = await envoy.stats("update_rejected|update_failure");
  return Object.fromEntries(Object.entries(stats).filter(([, value]) => value > 0));
}

for (const transport of ["sotw", "delta"] as const) {
  describe(`a real Envoy over ${transport}`, { timeout: 120_000 }, () => {
    it("starts, takes every kind of change, and refuses nothing", async () => {
      await withStage(transport, async ({ source, envoy, url, mesh, upstreams }) => {
        for (let v = 2; v < 6; v++) {
          source.publish(mesh("one", v));
          await eventually(
            `cluster version ${v} is warm`,
            async () => (await envoy.stats(`cluster.one-${v}.membership_total`))[`cluster.one-${v}.membership_total`] === 1,
          );
          assert.equal((await http(url)).body, "one");
        }
        source.publish(mesh("two"));
        await eventually("the route moves", async () => (await http(url)).body === "two");
        await eventually(
          "the old cluster goes",
          async () => (await envoy.stats("cluster_manager.active_clusters"))["cluster_manager.active_clusters"] === 2,
        );
        source.publish([...mesh("two"), cluster("lonely")]);
        await eventually("a cluster without endpoints does not hold anything up", async () => {
          const { "cluster_manager.warming_clusters": warming, "cluster_manager.active_clusters": active } = await envoy.stats("cluster_manager");
          return warming === 0 && active === 3;
        });
        assert.equal(upstreams.two.requests() > 0, true);
        assert.deepEqual(await refusals(envoy), {});
      });
    });

    it("moves routes to new clusters and drops the old ones under load, without one failed request", async () => {
      await withStage(transport, async ({ source, servers, envoy, url, mesh }) => {
        const load = startLoad(url);
        for (let move = 0; move < 8; move++) {
          const to = move % 2 === 0 ? "two" : "one";
          source.publish(mesh(to, move));
          await eventually(`the route moves to ${to}`, async () => (await http(url)).body === to);
          source.publish(mesh(to, 100 + move));
          await sleep(100);
        }
        await load.stop();
        assert.deepEqual(load.failures(), []);
        assert.ok(load.answers() > 100, `${load.answers()} answers`);
        assert.deepEqual(await refusals(envoy), {});
        assert.deepEqual(
          servers.logged.filter((line) => line.includes("refused") || line.includes("sent before")),
          [],
        );
      });
    });

    it("goes on when the front restarts, and loses no request to what changed meanwhile", async () => {
      await withStage(transport, async (stage) => {
        const { source, envoy, url, mesh } = stage;
        const load = startLoad(url);
        const { port } = stage.servers.grpc;
        for (const to of ["two", "one"] as const) {
          await stage.servers.stop();
          await sleep(100);
          source.publish(mesh(to, 2));
          stage.servers = await serveByHand(source, { grpcPort: port });
          await eventually(`Envoy is back, and the route moves to ${to}`, async () => (await http(url)).body === to, 20_000);
          await eventually("the old cluster goes", async () => (await envoy.stats("active_clusters"))["cluster_manager.active_clusters"] === 2);
        }
        await load.stop();
        assert.deepEqual(load.failures(), []);
        assert.deepEqual((await envoy.stats("update_rejected"))["cluster_manager.cds.update_rejected"], 0);
      });
    });
  });
}

describe("a real Envoy over REST", { timeout: 60_000 }, () => {
  it("polls everything it needs, and follows", async () => {
    await withStage("rest", async ({ source, envoy, url, mesh }) => {
      source.publish(mesh("one", 2, [cluster("two"), assignment("two", [])]));
      source.publish(mesh("two", 2, [cluster("one")]));
      await eventually("the route moves", async () => (await http(url)).body === "two", 20_000);
      assert.deepEqual(await refusals(envoy), {});
    });
  });
});
