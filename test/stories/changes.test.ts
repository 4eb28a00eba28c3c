import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "#test/support/eventually.ts";
import { http } from "#test/support/http.ts";
import { startLoad } from "#test/support/load.ts";
import { istio, type KubeObject, placeOf, service } from "#test/support/mesh-folder.ts";
import { freePort } from "#test/support/ports.ts";
import { assertNothingRefused, openStage, type Stage } from "#test/support/stage.ts";
import { startUpstream } from "#test/support/upstream.ts";

const NAMESPACE = "shop";
/** Name of a service that has no pods of its own: who asks for it is routed to others, by the gateway or by the caller's proxy. */
const HOST = `web.${NAMESPACE}.svc.cluster.local`;

/** What the mesh is made of at one moment. */
interface Moment {
  /** Upstreams that play the pods of the service, by number: 0 and 1 are version 1, 2 and 3 version 2. */
  readonly pods: readonly number[];
  readonly weight: number;
  /** Milliseconds; part of the clusters. */
  readonly connectTimeout: number;
}

const FIRST: Moment = { pods: [0, 1, 2], weight: 90, connectTimeout: 1_000 };

/** Twenty changes: of weights, of endpoints, of clusters, and of several at once. */
const CHANGES: readonly Partial<Moment>[] = [
  { weight: 50 },
  { weight: 10 },
  { weight: 0 },
  { weight: 100 },
  { pods: [0, 2] },
  { pods: [0, 1, 2, 3] },
  { pods: [1, 3] },
  { pods: [0, 1, 2, 3] },
  { connectTimeout: 2_000 },
  { connectTimeout: 3_000 },
  { connectTimeout: 1_500 },
  { weight: 30, pods: [0, 2, 3] },
  { weight: 70, connectTimeout: 2_500 },
  { pods: [1, 2], connectTimeout: 1_000 },
  { weight: 20 },
  { pods: [0, 1, 2, 3] },
  { weight: 80, pods: [0, 3], connectTimeout: 4_000 },
  { pods: [1, 2] },
  { connectTimeout: 1_250 },
  { ...FIRST },
];

/** Who carries the load. */
interface Proxy {
  readonly protocol: "sotw" | "delta";
  readonly type: "router" | "sidecar";
}

const PROXIES: readonly Proxy[] = [
  { protocol: "sotw", type: "router" },
  { protocol: "delta", type: "router" },
  { protocol: "delta", type: "sidecar" },
];

for (const { protocol, type } of PROXIES) {
  describe(`changes under load of a ${type} over ${protocol}: not one request fails`, { timeout: 120_000 }, () => {
    it("weights, endpoints and clusters change twenty times", async () => {
      await withStage({ protocol, type }, async ({ stage, ask, load, addresses }) => {
        const place = (pod: number) => placeOf(addresses[pod], { version: pod < 2 ? "v1" : "v2" });
        let moment = FIRST;
        for (const change of CHANGES) {
          moment = { ...moment, ...change };
          // One file at a time, as an editor saves them: in between, the mesh is neither the old nor the new one.
          await stage.folder.write("reviews", ...service("reviews", NAMESPACE, stage.port, ...moment.pods.map(place)));
          await stage.folder.write("routing", ...routing("reviews", stage.port, moment));
          await sleep(100);
        }
        await eventually("the last change has arrived", async () => (await ask()).headers["x-moment"] === String(FIRST.weight));
        await load();
      });
    });

    it("a route moves to a new service eight times, and the old one is removed with it", async () => {
      await withStage({ protocol, type }, async ({ stage, ask, load, addresses }) => {
        for (let move = 0; move < 8; move++) {
          const name = `reviews-${move}`;
          const pods = [placeOf(addresses[move % 4], { version: "v1" }), placeOf(addresses[(move + 1) % 4], { version: "v2" })];
          await stage.folder.write("all", ...service(name, NAMESPACE, stage.port, ...pods), ...routing(name, stage.port, { ...FIRST, weight: move }));
          if (move === 0) for (const file of ["reviews", "routing"]) await stage.folder.remove(file);
          await eventually(`move ${move} has arrived`, async () => (await ask()).headers["x-moment"] === String(move));
        }
        await load();
      });
    });
  });
}

interface Scene {
  readonly stage: Stage & { readonly port: number };
  readonly addresses: readonly { readonly address: string; readonly port: number }[];
  readonly ask: () => ReturnType<typeof http>;
  /** Ends the load and tells that nothing failed. */
  readonly load: () => Promise<void>;
}

async function withStage({ protocol, type }: Proxy, act: (scene: Scene) => Promise<void>): Promise<void> {
  const upstreams = await Promise.all(["v1-a", "v1-b", "v2-a", "v2-b"].map((name, at) => startUpstream(name, `127.0.0.${at + 2}`)));
  const port = await freePort();
  const stage = await openStage(async (folder) => {
    const places = [0, 1, 2].map((at) => placeOf(upstreams[at], { version: at < 2 ? "v1" : "v2" }));
    await folder.write("reviews", ...service("reviews", NAMESPACE, port, ...places));
    await folder.write("routing", ...routing("reviews", port, FIRST));
    await folder.write("fixed", ...gateway(port), ...service("web", NAMESPACE, port));
  });
  try {
    for (const upstream of upstreams) stage.use(upstream);
    const envoy = await stage.envoy(["--type", type, "--namespace", NAMESPACE, "--label", "istio=gateway", "--ads", protocol]);
    const url = `http://127.0.0.1:${port}/`;
    const ask = () => http(url, { headers: { host: HOST } });
    await eventually("the gateway answers", async () => (await ask()).status === 200);
    const running = startLoad(url, { host: HOST });
    await act({
      stage: { ...stage, port },
      addresses: upstreams,
      ask,
      load: async () => {
        await running.stop();
        assert.deepEqual(running.failures(), []);
        assert.ok(running.answers() > 300, `only ${running.answers()} answers`);
      },
    });
    await assertNothingRefused(envoy, stage.serve);
  } finally {
    await stage.close();
  }
}

function gateway(port: number): readonly KubeObject[] {
  const servers = [{ port: { number: port, name: "http", protocol: "HTTP" }, hosts: [HOST] }];
  return [istio("Gateway", "web", NAMESPACE, { selector: { istio: "gateway" }, servers })];
}

/** Answers tell which moment routed them. */
function routing(host: string, port: number, { weight, connectTimeout }: Moment): readonly KubeObject[] {
  const to = (subset: string, share: number) => ({ destination: { host, subset, port: { number: port } }, weight: share });
  return [
    istio("VirtualService", "web", NAMESPACE, {
      hosts: [HOST],
      gateways: ["web", "mesh"],
      http: [{ route: [to("v1", weight), to("v2", 100 - weight)], headers: { response: { set: { "x-moment": String(weight) } } } }],
    }),
    istio("DestinationRule", host, NAMESPACE, {
      host,
      trafficPolicy: { connectionPool: { tcp: { connectTimeout: `${connectTimeout}ms` } } },
      subsets: [
        { name: "v1", labels: { version: "v1" } },
        { name: "v2", labels: { version: "v2" } },
      ],
    }),
  ];
}
