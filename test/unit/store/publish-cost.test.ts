import assert from "node:assert/strict";
import { test } from "node:test";
import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { publish } from "#core/store/publish.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { faultyStore } from "#test/conformance/faulty-store.ts";
import { edition, layer } from "../edition/sample.ts";
import { contextOf, published } from "./sample.ts";

test("a changed load assignment in two layers of 3,000 costs two writes and at most 8 KB, and hardly more among 15,000", async () => {
  const small = await costs(3_000);
  const large = await costs(15_000);
  for (const { writes, bytes } of [...small, ...large]) {
    assert.equal(writes, 2);
    assert.ok(bytes <= 8 * 1024, `${bytes} bytes`);
  }
  const sum = (list: typeof small): number => list.reduce((total, { bytes }) => total + bytes, 0);
  assert.ok(sum(large) / sum(small) <= 1.3, `${sum(large)} / ${sum(small)}`);
});

async function costs(names: number): Promise<{ writes: number; bytes: number }[]> {
  const store = faultyStore(memoryStore());
  const context = contextOf(store);
  let near = Array.from({ length: names }, (_, index) => assignment(index, 0));
  let far = Array.from({ length: names }, (_, index) => assignment(index, 1));
  let layers = { near: layer(near), far: layer(far) };
  let head = await published(context, undefined, edition(layers));
  const costs: { writes: number; bytes: number }[] = [];
  for (let step = 0; step < 12; step++) {
    const index = (step * 977) % names;
    near = near.with(index, assignment(index, 10 + step));
    far = far.with(index, assignment(index, 50 + step));
    layers = { near: layer(near, layers.near), far: layer(far, layers.far) };
    const before = store.operations.length;
    const result = await publish(context, head, edition(layers, head.edition));
    assert.ok(result.outcome === "published");
    costs.push({ writes: store.operations.length - before, bytes: result.bytes });
    head = result.head;
  }
  return costs;
}

/** Some 1.5 KB that compress as load assignments do: ten endpoints of different addresses. */
function assignment(service: number, state: number): Resource {
  const name = `outbound|8080||service-${service}.namespace-${service % 17}.svc.cluster.local`;
  const endpoints = Array.from({ length: 10 }, (_, index) => {
    const seed = (service * 7919 + state * 104_729 + index * 1_299_709) % 2 ** 24;
    const address = `10.${seed >> 16}.${(seed >> 8) & 255}.${seed & 255}`;
    return `{${address}:8080 istio workload: productpage-v1;namespace-${service % 17};productpage;;Kubernetes envoy.transport_socket_match tlsMode: istio}`;
  });
  const text = `type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment ${name} ${endpoints.join()}`;
  return makeResource("endpoints", name, new TextEncoder().encode(text), NO_NEEDS, [
    { cluster: "Kubernetes", kind: "Service", namespace: `namespace-${service % 17}`, name: `service-${service}` },
  ]);
}
