import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Serving, startServing } from "#test/support/almanac.ts";
import type { Envoy } from "#test/support/envoy.ts";
import { eventually } from "#test/support/eventually.ts";
import { http } from "#test/support/http.ts";
import { startLoad } from "#test/support/load.ts";
import { istio, type MeshFolder, placeOf, service } from "#test/support/mesh-folder.ts";
import { freePort } from "#test/support/ports.ts";
import { assertNothingRefused, openStage, type Stage } from "#test/support/stage.ts";
import { startUpstream, type Upstream } from "#test/support/upstream.ts";

const NAMESPACE = "shop";
const HOST = "shop.example";
const PORT = 8000;

const GATEWAY = ["--type", "router", "--namespace", NAMESPACE, "--label", "istio=gateway"];

describe("what outlives what", { timeout: 120_000 }, () => {
  let stage: Stage;
  let one: Upstream;
  let two: Upstream;
  let front: Serving;
  let envoy: Envoy;
  const ports: number[] = [];

  const ask = (port = ports[0]) => http(`http://127.0.0.1:${port}/`, { headers: { host: HOST } });
  const routeTo = (folder: MeshFolder, name: string) => folder.write("route", route(name));

  before(async () => {
    [one, two] = await Promise.all([startUpstream("one", "127.0.0.2"), startUpstream("two", "127.0.0.3")]);
    ports.push(await freePort(), await freePort());
    stage = await openStage(async (folder) => {
      await folder.write("services", ...service("one", NAMESPACE, PORT, placeOf(one)), ...service("two", NAMESPACE, PORT, placeOf(two)));
      await folder.write("gateways", ...ports.map((port, at) => gateway(port, `gateway-${at}`)));
      await routeTo(folder, "one");
    });
    stage.use(one);
    stage.use(two);
    front = await startServing(["front", "--store", stage.store, "--poll-interval", "100ms"]);
    envoy = await stage.envoy([...GATEWAY, "--name", "first", "--label", "at=gateway-0"], { server: front });
    await eventually("the gateway answers", async () => (await ask()).body === "one");
  });
  after(async () => {
    await front.process.stop();
    await stage.close();
  });

  it("a front that is killed takes no traffic with it, and its successor is followed", async () => {
    const load = startLoad(`http://127.0.0.1:${ports[0]}/`, { host: HOST });
    await front.process.stop("SIGKILL");
    await sleep(500);
    front = await startServing(["front", "--store", stage.store, "--poll-interval", "100ms"], front.grpc);
    await routeTo(stage.folder, "two");
    await eventually("the successor's change arrives", async () => (await ask()).body === "two", 20_000);
    await load.stop();
    assert.deepEqual(load.failures(), []);
  });

  it("broken files change nothing that worked, and hold up nothing else", async () => {
    await stage.folder.writeText("services", "kind: Service\n  apiVersion: [v1");
    await stage.folder.writeText(
      "extra",
      "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: web, namespace: shop}\nspec: {hosts: 5}\n",
    );
    await eventually("it is told", () => /can't|broken|invalid|not/.test(logged(stage, "services.yaml")));
    assert.equal((await ask()).body, "two");
    await routeTo(stage.folder, "one");
    await eventually("another file's change arrives", async () => (await ask()).body === "one");
    await stage.folder.remove("extra");
  });

  it("with the writer and its source gone, a new Envoy gets its configuration from a new front", async () => {
    // Compiled once, for any proxy of its kind.
    const known = await stage.envoy([...GATEWAY, "--name", "second", "--label", "at=gateway-1"]);
    await eventually("the second gateway answers", async () => (await ask(ports[1])).body === "one");
    await known.stop();
    await stage.serve.process.stop("SIGKILL");
    await front.process.stop();
    await rename(`${stage.folder.path}/services.yaml`, `${stage.folder.path}/services.gone`);
    front = await startServing(["front", "--store", stage.store]);
    const fresh = await stage.envoy([...GATEWAY, "--name", "third", "--label", "at=gateway-1"], { server: front });
    await eventually("the new gateway answers", async () => (await ask(ports[1])).body === "one");
    await assertNothingRefused(fresh, front);
    await assertNothingRefused(envoy);
  });
});

function logged({ serve }: Stage, word: string): string {
  return serve.process
    .stderr()
    .split("\n")
    .filter((line) => line.includes(word))
    .join("\n");
}

function gateway(port: number, at: string) {
  const servers = [{ port: { number: port, name: "http", protocol: "HTTP" }, hosts: [HOST] }];
  return istio("Gateway", at, NAMESPACE, { selector: { istio: "gateway", at }, servers });
}

function route(host: string) {
  return istio("VirtualService", "web", NAMESPACE, {
    hosts: [HOST],
    gateways: ["gateway-0", "gateway-1"],
    http: [{ route: [{ destination: { host, port: { number: PORT } } }] }],
  });
}
