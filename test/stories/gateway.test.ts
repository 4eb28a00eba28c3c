import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Envoy } from "#test/support/envoy.ts";
import { eventually } from "#test/support/eventually.ts";
import { http } from "#test/support/http.ts";
import { istio, type MeshFolder, placeOf, service } from "#test/support/mesh-folder.ts";
import { freePort } from "#test/support/ports.ts";
import { countOf } from "#test/support/sample.ts";
import { assertNothingRefused, openStage, type Stage } from "#test/support/stage.ts";
import { startUpstream, type Upstream } from "#test/support/upstream.ts";

const NAMESPACE = "shop";
const HOST = "shop.example";
const PORT = 8000;

/** Requests that a share of one in ten is judged by. At 400 the count is within 20 of 40 but for one time in a thousand. */
const SAMPLE = 400;

for (const protocol of ["sotw", "delta"] as const) {
  describe(`a real Envoy as a gateway over ${protocol}`, { timeout: 90_000 }, () => {
    const upstreams: Upstream[] = [];
    let stage: Stage;
    let envoy: Envoy;
    let port = 0;

    const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      http(`http://127.0.0.1:${port}${path}`, { headers: { host: HOST, ...headers } });
    const writeReviews = (folder: MeshFolder, ...at: readonly [upstream: number, version: string][]) =>
      folder.write("reviews", ...service("reviews", NAMESPACE, PORT, ...at.map(([one, version]) => placeOf(upstreams[one], { version }))));

    before(async () => {
      upstreams.push(...(await Promise.all(["v1-a", "v1-b", "v2"].map((name, at) => startUpstream(name, `127.0.0.${at + 2}`)))));
      port = await freePort();
      stage = await openStage(async (folder) => {
        await writeReviews(folder, [0, "v1"], [1, "v1"], [2, "v2"]);
        await folder.write("gateway", ...gateway(port));
      });
      for (const upstream of upstreams) stage.use(upstream);
      envoy = await stage.envoy(["--type", "router", "--name", "gateway", "--namespace", NAMESPACE, "--label", "istio=gateway", "--ads", protocol]);
      await eventually("the gateway answers", async () => (await ask("/all")).status === 200);
    });
    after(() => stage.close());

    it("splits requests by weight", async () => {
      const second = await countOf("v2", SAMPLE, () => ask("/split"));
      assert.ok(second >= 20 && second <= 62, `${second} of ${SAMPLE} for a tenth`);
    });

    it("tells requests apart by headers, and subsets by labels", async () => {
      assert.equal((await ask("/split", { "x-reader": "beta" })).body, "v2");
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask("/split", { "x-reader": "old" })));
      assert.deepEqual([...new Set(answers.map(({ body }) => body))].sort(), ["v1-a", "v1-b"]);
    });

    it("redirects, answers itself, and knows no other hosts", async () => {
      const moved = await ask("/moved");
      assert.deepEqual([moved.status, moved.headers.location], [301, `http://${HOST}/all`]);
      assert.deepEqual([(await ask("/about")).status, (await ask("/about")).body], [200, "a shop"]);
      assert.equal((await http(`http://127.0.0.1:${port}/all`, { headers: { host: "other.example" } })).status, 404);
    });

    it("an endpoint that is taken away gets no more requests", async () => {
      await writeReviews(stage.folder, [0, "v1"], [2, "v2"]);
      const cluster = `outbound|${PORT}|v1|reviews.${NAMESPACE}.svc.cluster.local`;
      await eventually("the endpoint is gone", async () => (await envoy.stats(`cluster.${cluster}`))[`cluster.${cluster};.membership_total`] === 1);
      const before = upstreams[1]?.requests();
      for (let index = 0; index < 50; index++) assert.notEqual((await ask("/split")).body, "v1-b");
      assert.equal(upstreams[1]?.requests(), before);
    });

    it("refused nothing", () => assertNothingRefused(envoy, stage.serve));
  });
}

describe("a real Envoy as a gateway over REST", { timeout: 60_000 }, () => {
  it("polls all it needs", async () => {
    const port = await freePort();
    const upstream = await startUpstream("polled", "127.0.0.2");
    const stage = await openStage((folder) => folder.write("all", ...service("reviews", NAMESPACE, PORT, placeOf(upstream)), ...gateway(port)));
    try {
      stage.use(upstream);
      const node = ["--type", "router", "--namespace", NAMESPACE, "--label", "istio=gateway"];
      const envoy = await stage.envoy([...node, "--ads", "rest", "--server", stage.serve.http.slice("http://".length)]);
      const answer = await eventually("the gateway answers", async () => {
        const found = await http(`http://127.0.0.1:${port}/all`, { headers: { host: HOST } });
        return found.status === 200 && found;
      });
      assert.equal(answer.body, "polled");
      await assertNothingRefused(envoy);
    } finally {
      await stage.close();
    }
  });
});

function gateway(port: number) {
  const destination = (subset?: string) => ({ host: "reviews", port: { number: PORT }, ...(subset && { subset }) });
  const reader = (value: string) => ({ uri: { prefix: "/split" }, headers: { "x-reader": { exact: value } } });
  return [
    istio("Gateway", "web", NAMESPACE, {
      selector: { istio: "gateway" },
      servers: [{ port: { number: port, name: "http", protocol: "HTTP" }, hosts: [HOST] }],
    }),
    istio("VirtualService", "web", NAMESPACE, {
      hosts: [HOST],
      gateways: ["web"],
      http: [
        { match: [{ uri: { exact: "/moved" } }], redirect: { uri: "/all" } },
        { match: [{ uri: { exact: "/about" } }], directResponse: { status: 200, body: { string: "a shop" } } },
        { match: [reader("beta")], route: [{ destination: destination("v2") }] },
        { match: [reader("old")], route: [{ destination: destination("v1") }] },
        {
          match: [{ uri: { prefix: "/split" } }],
          route: [
            { destination: destination("v1"), weight: 90 },
            { destination: destination("v2"), weight: 10 },
          ],
        },
        { route: [{ destination: destination() }] },
      ],
    }),
    istio("DestinationRule", "reviews", NAMESPACE, {
      host: "reviews",
      subsets: [
        { name: "v1", labels: { version: "v1" } },
        { name: "v2", labels: { version: "v2" } },
      ],
    }),
  ];
}
