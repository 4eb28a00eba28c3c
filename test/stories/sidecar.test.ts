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

/** An application that speaks to its proxy at 127.0.0.1 and the service's port: nothing is redirected. */
for (const protocol of ["sotw", "delta"] as const) {
  describe(`a real Envoy beside an application over ${protocol}`, { timeout: 90_000 }, () => {
    const upstreams: Upstream[] = [];
    let stage: Stage;
    let envoy: Envoy;
    let port = 0;
    let ledger = 0;
    let outside = 0;

    const ask = (host: string, headers: Readonly<Record<string, string>> = {}) =>
      http(`http://127.0.0.1:${port}/`, { headers: { host, ...headers } });
    const writeReviews = (folder: MeshFolder, ...at: readonly [upstream: number, version: string][]) =>
      folder.write("reviews", ...service("reviews", NAMESPACE, port, ...at.map(([one, version]) => placeOf(upstreams[one], { version }))));

    before(async () => {
      upstreams.push(...(await Promise.all(["v1-a", "v1-b", "v2", "ratings", "ledger"].map((name, at) => startUpstream(name, `127.0.0.${at + 2}`)))));
      [port, ledger, outside] = [await freePort(), await freePort(), await freePort()];
      stage = await openStage(async (folder) => {
        await writeReviews(folder, [0, "v1"], [1, "v1"], [2, "v2"]);
        await folder.write("ratings", ...service("ratings", NAMESPACE, port, placeOf(upstreams[3])));
        await folder.write("ledger", ...service("ledger", NAMESPACE, ledger, placeOf(upstreams[4])).map((object) => named(object, "tcp")));
        await folder.write("routing", ...routing());
        await folder.write("outside", ...entry(outside));
      });
      for (const upstream of upstreams) stage.use(upstream);
      envoy = await stage.envoy(["--name", "client", "--namespace", NAMESPACE, "--ads", protocol]);
      await eventually("the proxy answers", async () => (await ask("ratings")).status === 200);
    });
    after(() => stage.close());

    it("splits by weight, tells requests apart by headers, and knows a service by all its names", async () => {
      const second = await countOf("v2", 400, () => ask("reviews"));
      assert.ok(second >= 20 && second <= 62, `${second} of 400 for a tenth`);
      assert.equal((await ask("reviews", { "x-reader": "beta" })).body, "v2");
      for (const name of ["ratings", `ratings.${NAMESPACE}`, `ratings.${NAMESPACE}.svc.cluster.local`, `ratings:${port}`]) {
        assert.equal((await ask(name)).body, "ratings");
      }
    });

    it("carries bytes to a service whose protocol is TCP", async () => {
      assert.equal((await http(`http://127.0.0.1:${ledger}/`, { headers: { host: "anything" } })).body, "ledger");
    });

    it("does not send unknown hosts anywhere", async () => {
      assert.equal((await ask("unknown.example")).status, 503);
    });

    it("leaves a port alone at which an endpoint stands on the same host", async () => {
      const { configs } = await envoy.configDump();
      assert.equal(JSON.stringify(configs).includes(`127.0.0.1_${outside}`), false);
    });

    it("an endpoint that is taken away gets no more requests", async () => {
      await writeReviews(stage.folder, [0, "v1"], [2, "v2"]);
      const cluster = `cluster.outbound|${port}|v1|reviews.${NAMESPACE}.svc.cluster.local;.membership_total`;
      await eventually("the endpoint is gone", async () => (await envoy.stats("membership_total"))[cluster] === 1);
      const before = upstreams[1]?.requests();
      for (let index = 0; index < 50; index++) assert.notEqual((await ask("reviews")).body, "v1-b");
      assert.equal(upstreams[1]?.requests(), before);
    });

    it("refused nothing", () => assertNothingRefused(envoy, stage.serve));
  });
}

/** The port's name says the protocol. */
function named(object: unknown, name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(object).replaceAll('"name":"http"', `"name":"${name}"`).replaceAll('"targetPort":"http"', `"targetPort":"${name}"`),
  );
}

function routing() {
  const to = (subset: string) => ({ host: "reviews", subset });
  return [
    istio("VirtualService", "reviews", NAMESPACE, {
      hosts: ["reviews"],
      http: [
        { match: [{ headers: { "x-reader": { exact: "beta" } } }], route: [{ destination: to("v2") }] },
        {
          route: [
            { destination: to("v1"), weight: 90 },
            { destination: to("v2"), weight: 10 },
          ],
        },
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

/** Something on the host itself, at the very port by which it is asked for. */
function entry(port: number) {
  return [
    istio("ServiceEntry", "outside", NAMESPACE, {
      hosts: ["outside.example"],
      location: "MESH_EXTERNAL",
      resolution: "STATIC",
      ports: [{ number: port, name: "http", protocol: "HTTP" }],
      endpoints: [{ address: "127.0.0.1" }],
    }),
  ];
}
