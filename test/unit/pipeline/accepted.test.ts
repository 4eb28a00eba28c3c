import assert from "node:assert/strict";
import { test } from "node:test";
import { lookUp } from "#core/lib/trie.ts";
import { type Build, build } from "#core/pipeline/build.ts";
import type { CensusNode } from "#core/pipeline/census.ts";
import { KINDS } from "#core/sources/decode/catalog.ts";
import { objectsOf, replaceAll } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import { contentsOf } from "#test/support/case-build.ts";
import { layerKeys } from "#test/support/layer-keys.ts";
import { inventoryOf, OPTIONS, podYaml, serviceYaml } from "#test/support/resolve.ts";

/** A Service without a target port, as no API server leaves it: its inbound chain matches any port. */
function portless(name: string): string {
  return `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {clusterIP: 10.0.2.1, selector: {app: web}, ports: [{name: http, port: 80}]}
---`;
}

const web = podYaml("web-1", "10.1.0.5", { app: "web" });

const census: readonly [CensusNode] = [
  {
    node: {
      id: "sidecar~10.1.0.5~web-1.shop~shop.svc.cluster.local",
      cluster: "web",
      metadata: {
        NAMESPACE: "shop",
        CLUSTER_ID: "Kubernetes",
        ISTIO_VERSION: "1.31.0",
        LABELS: { app: "web" },
        ENVOY_STATUS_PORT: 15021,
        ENVOY_PROMETHEUS_PORT: 15090,
      },
      locality: { region: "", zone: "", subzone: "" },
      userAgentName: "envoy",
    },
  },
];

/** Builds on an earlier build as a writer would: what did not change keeps its identity. */
function built(yaml: string, previous?: Build): Build {
  const fresh = inventoryOf(yaml);
  const objects = KINDS.flatMap((kind) => objectsOf<Kind>(fresh, kind));
  const inventory = previous ? replaceAll(previous.input.inventory, "Kubernetes", { objects, refused: [] }) : fresh;
  return build({ inventory, options: OPTIONS, allocate: false, census, builder: "test" }, previous?.edition, previous);
}

function published({ edition }: Build): string[] {
  const entries = layerKeys(edition).flatMap((key) => {
    const layer = lookUp(edition.layers, key);
    return ["listeners/virtualInbound", "listeners/0.0.0.0_80", "endpoints/outbound|80||web.shop.svc.cluster.local"].filter(
      (entry) => layer && lookUp(layer.resources, entry),
    );
  });
  return entries.sort();
}

function refusals({ diagnostics }: Build): string[] {
  return diagnostics.filter(({ code }) => code === "ALM0604").map(({ message }) => message);
}

test("a resource that Envoy would refuse is left out alone, by name of what it is made from, and comes back", () => {
  const before = built(`${web}${serviceYaml("one", [["web-1", "10.1.0.5"]])}`);
  const clashing = built(`${web}${serviceYaml("one", [["web-1", "10.1.0.5"]])}${portless("two")}`, before);
  const after = built(`${web}${serviceYaml("one", [["web-1", "10.1.0.5"]])}`, clashing);
  assert.deepEqual(published(before), ["listeners/0.0.0.0_80", "listeners/virtualInbound"]);
  assert.deepEqual(published(clashing), ["listeners/0.0.0.0_80"]);
  assert.deepEqual(refusals(before), []);
  const [said, ...more] = refusals(clashing);
  assert.deepEqual(more, []);
  assert.match(
    said ?? "",
    /^listeners\/virtualInbound is not published, since Envoy would refuse it: filterChains\[\d\]\.filterChainMatch must differ/,
  );
  assert.match(said ?? "", /Made from .*Kubernetes\/Service\/shop\/two/);
  assert.deepEqual(contentsOf(after.edition), contentsOf(before.edition));
});

test("endpoints that Envoy would refuse are told of too, however they came", () => {
  const name = "endpoints/outbound|80||web.shop.svc.cluster.local";
  const yaml = (address: string) => `${web}${serviceYaml("web", [["web-1", address]])}`;
  const before = built(yaml("10.1.0.5"));
  const broken = built(yaml('""'), before);
  const after = built(yaml("10.1.0.5"), broken);
  assert.ok(published(before).includes(name));
  assert.ok(!published(broken).includes(name));
  assert.equal(refusals(broken).length, 1);
  for (const [one, other] of [
    [broken, built(yaml('""'))],
    [after, before],
  ] as const)
    assert.deepEqual(contentsOf(one.edition), contentsOf(other.edition));
});

test("gRPC's clients judge by rules of their own: certificate providers stand where Envoy asks for secrets", () => {
  const rule = `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: web, namespace: shop}
spec: {host: web, trafficPolicy: {tls: {mode: ISTIO_MUTUAL}}}
---`;
  const [{ node }] = census;
  const inventory = inventoryOf(`${web}${serviceYaml("web", [["web-1", "10.1.0.5"]])}${rule}`);
  const made = build({ inventory, options: OPTIONS, allocate: false, census: [{ node, dialect: "grpc" }], builder: "test" }, undefined);
  const layers = layerKeys(made.edition).map((key) => lookUp(made.edition.layers, key)?.resources);
  assert.ok(layers.some((resources) => resources && lookUp(resources, "clusters/outbound|80||web.shop.svc.cluster.local")));
  assert.deepEqual(refusals(made), []);
});

test("what is left out names an object once, though it was made from several states of it", () => {
  const yaml = (image: string, port: number) =>
    podYaml("web-1", "10.1.0.5", { app: "web" }, `, initContainers: [{name: ${image}, restartPolicy: Always, ports: [{containerPort: 1}]}]`) +
    serviceYaml("web", [["web-1", "10.1.0.5"]]).replace("port: 8080, protocol: TCP}]", `port: ${port}, protocol: TCP}, {name: other, port: 1}]`);
  const moved = built(yaml("b", 8080), built(yaml("a", 8080)));
  const broken = refusals(built(yaml("b", -1), moved));
  assert.equal(broken.length, 1);
  assert.deepEqual(broken, refusals(built(yaml("b", -1))));
});
