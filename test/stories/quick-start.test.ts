import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { packageRoot } from "#functions/io/api.ts";
import type { Child } from "#test/support/child.ts";
import { startChild } from "#test/support/child.ts";
import type { Envoy } from "#test/support/envoy.ts";
import { startEnvoy } from "#test/support/envoy.ts";
import { eventually } from "#test/support/eventually.ts";
import { http } from "#test/support/http.ts";
import { freePort } from "#test/support/ports.ts";

// What the README promises for the first five minutes; its commands, with free ports and a copy of the example that may be edited.

const ROOT = packageRoot();
const ANY_PORTS = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--metrics", "off"];
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-quick-start-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("npm start serves the bookshop, prints where, and what to try next", { timeout: 90_000 }, async () => {
  const start = startChild(process.execPath, ["scripts/start.mjs", ...ANY_PORTS, "--store", join(folder, "start")], { cwd: ROOT });
  try {
    await eventually("the commands are printed", () => start.stdout().includes("Ctrl-C"), 60_000);
    const printed = start.stdout();
    assert.match(printed, /^grpc 127\.0\.0\.1:\d+\nhttp 127\.0\.0\.1:\d+\nmetrics off\nready edition \d+\n/);
    assert.equal(printed.match(/^ {2}\d\. /gm)?.length, 3);
    const address = addressOf(start, "http");
    const node = { id: "sidecar~127.0.1.10~storefront-v1-0.bookshop~bookshop.svc.cluster.local" };
    const answer = await http(`http://${address}/v3/discovery:clusters`, { method: "POST", body: JSON.stringify({ node }) });
    assert.equal(answer.status, 200, answer.body);
    assert.match(answer.body, /outbound\|8000\|v2\|reviews\.bookshop\.svc\.cluster\.local/);
  } finally {
    assert.equal(await start.stop("SIGTERM"), 0);
  }
});

test("a real Envoy started with Almanac's bootstrap is the shop's gateway, and an edit reaches it", { timeout: 90_000 }, async () => {
  const shop = join(folder, "bookshop");
  const port = await freePort();
  await cp(join(ROOT, "examples/bookshop"), shop, { recursive: true });
  const gatewayFile = join(shop, "gateway.yaml");
  const gateway = (await readFile(gatewayFile, "utf8")).replace("number: 10000", `number: ${port}`);
  await writeFile(gatewayFile, gateway);

  const pods = startChild(process.execPath, [join(shop, "pods.mjs")]);
  const server = almanac("serve", shop, ...ANY_PORTS, "--store", join(folder, "store"));
  let envoy: Envoy | undefined;
  try {
    await eventually("an edition is served", () => server.stdout().includes("ready edition"), 30_000);
    envoy = await startEnvoy(await bootstrap(addressOf(server, "grpc")));
    const ask = (path: string, headers = {}) => http(`http://127.0.0.1:${port}${path}`, { headers: { host: "bookshop.example", ...headers } });

    const about = await eventually("the gateway answers", async () => ask("/about"));
    assert.deepEqual([about.status, about.body], [200, "A bookshop, served by Almanac.\n"]);
    assert.match((await ask("/reviews", { "x-reader": "beta" })).body, /^reviews v2 answers GET \/reviews/);
    assert.match((await ask("/catalog/1")).body, /^catalog v1, pod \d answers GET \/books\/1/);
    assert.equal((await ask("/books")).headers.location, "http://bookshop.example/catalog");

    await writeFile(gatewayFile, gateway.replace("weight: 90", "weight: 0").replace("weight: 10\n", "weight: 100\n"));
    await eventually("every reader sees version 2", async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask("/reviews")));
      return answers.every(({ body }) => body.startsWith("reviews v2"));
    });
    assert.match(server.stderr(), /edition.*generation=\d+/);
    assert.doesNotMatch(server.stderr(), /nack/);
  } finally {
    await Promise.all([envoy?.stop(), server.stop(), pods.stop()]);
  }
});

function almanac(...args: string[]): Child {
  return startChild(process.execPath, [join(ROOT, "dist/almanac.js"), ...args], { cwd: ROOT });
}

function addressOf(server: Child, name: string): string {
  return new RegExp(`^${name} (.+)$`, "m").exec(server.stdout())?.[1] ?? "";
}

async function bootstrap(server: string): Promise<Record<string, unknown>> {
  const node = ["--type", "router", "--name", "gateway", "--namespace", "bookshop", "--address", "127.0.1.1", "--label", "istio=ingressgateway"];
  const written = almanac("bootstrap", "envoy", ...node, "--server", server);
  assert.equal(await written.exited, 0, written.stderr());
  return JSON.parse(written.stdout()) as Record<string, unknown>;
}
