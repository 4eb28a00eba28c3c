import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ruleOf } from "#core/xds/resource-rules.ts";
import { nodeJson } from "#functions/cli/bootstrap-documents.ts";
import { sotwClient } from "#test/support/ads-client.ts";
import type { Envoy } from "#test/support/envoy.ts";
import { eventually } from "#test/support/eventually.ts";
import { http } from "#test/support/http.ts";
import { istio, type KubeObject, placeOf, service } from "#test/support/mesh-folder.ts";
import { freePort } from "#test/support/ports.ts";
import { assertNothingRefused, openStage, type Stage } from "#test/support/stage.ts";
import { startUpstream, type Upstream } from "#test/support/upstream.ts";

const NAMESPACE = "shop";
const SERVICES = 400;

/** From here on a route table is kept in pieces (docs/design/0002). */
const PIECED = 64 * 1024;

describe("a mesh whose route tables are kept in pieces", { timeout: 60_000 }, () => {
  const upstreams: Upstream[] = [];
  const ports: number[] = [];
  let stage: Stage;

  before(async () => {
    upstreams.push(await startUpstream("even", "127.0.0.2"), await startUpstream("odd", "127.0.0.3"));
    ports.push(await freePort(), await freePort());
    stage = await openStage(async (folder) => {
      await folder.write("services", ...Array.from({ length: SERVICES }, (_, index) => twoPorts(index, ports, upstreams[index % 2])).flat());
      await folder.write("routing", routeTo("s7", "s9"));
    });
    for (const upstream of upstreams) stage.use(upstream);
  });
  after(() => stage.close());

  it("has such tables", async () => {
    const client = sotwClient(stage.serve.grpc);
    const node = nodeJson({ ...NODE, cluster: "Kubernetes", domain: "cluster.local", labels: {}, metadata: {}, locality: "" });
    client.ask({
      node: { id: String(node.id), cluster: String(node.cluster), metadata: node.metadata as never },
      typeUrl: ruleOf("routes").url,
      resourceNames: ports.map(String),
    });
    const { resources } = await client.response(0);
    client.close();
    assert.equal(resources.length, 2);
    for (const { value } of resources) assert.ok(value.length > 2 * PIECED, `${value.length} bytes`);
  });

  for (const protocol of ["sotw", "delta"] as const) {
    it(`is taken whole by a real Envoy over ${protocol}, which follows an edit of one host`, async () => {
      await stage.folder.write("routing", routeTo("s7", "s9"));
      const envoy = await stage.envoy(["--name", NODE.name, "--namespace", NAMESPACE, "--ads", protocol]);
      try {
        for (const port of ports) {
          await eventually("it routes to s9", async () => (await ask(port, "s7")).body === "odd");
          assert.deepEqual([(await ask(port, "s0")).body, (await ask(port, `s${SERVICES - 1}.${NAMESPACE}`)).body], ["even", "odd"]);
        }
        const hosts = await hostsOf(envoy);
        for (const port of ports) assert.equal(hosts.get(String(port))?.filter((name) => /^s\d+\./.test(name)).length, SERVICES);
        await stage.folder.write("routing", routeTo("s7", "s8"));
        for (const port of ports) await eventually("the edit arrives", async () => (await ask(port, "s7")).body === "even");
        assert.equal((await ask(ports[0], "s9")).body, "odd");
        assert.deepEqual(await hostsOf(envoy), hosts);
        await assertNothingRefused(envoy, stage.serve);
      } finally {
        await envoy.stop();
      }
    });
  }
});

const NODE = { type: "sidecar", name: "client", namespace: NAMESPACE, address: "127.0.0.1" } as const;

function ask(port: number | undefined, host: string) {
  return http(`http://127.0.0.1:${port}/`, { headers: { host } });
}

/** A service that is asked for at either port, and stands at one place. */
function twoPorts(index: number, ports: readonly number[], upstream: Upstream | undefined): readonly KubeObject[] {
  return service(`s${index}`, NAMESPACE, 0, placeOf(upstream)).map((object) => {
    if (object.kind === "EndpointSlice") return { ...object, ports: named([upstream?.port, upstream?.port]) };
    return object.kind === "Service" ? { ...object, spec: { ...(object.spec as KubeObject), ports: named(ports) } } : object;
  });
}

function named(ports: readonly (number | undefined)[]): readonly KubeObject[] {
  return ports.map((port, at) => ({ name: at === 0 ? "http" : "http-more", port, protocol: "TCP" }));
}

function routeTo(host: string, to: string): KubeObject {
  return istio("VirtualService", "moves", NAMESPACE, { hosts: [host], http: [{ route: [{ destination: { host: to } }] }] });
}

/** Names of virtual hosts by route table, as Envoy has them. */
async function hostsOf(envoy: Envoy): Promise<ReadonlyMap<string, readonly string[]>> {
  const { configs } = await envoy.configDump();
  const routes = configs.flatMap(({ dynamic_route_configs: tables }) => (tables ?? []) as readonly Table[]);
  return new Map(routes.map(({ route_config: { name, virtual_hosts } }) => [name, virtual_hosts.map((host) => host.name)]));
}

interface Table {
  readonly route_config: { readonly name: string; readonly virtual_hosts: readonly { readonly name: string }[] };
}
