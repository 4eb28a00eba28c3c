import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { type EndpointSpelling, encodeAssignment, encodeEndpoint, reweighEndpoint } from "#core/envoy/endpoint.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { LbEndpointSchema } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";

const PLAIN: EndpointSpelling = { address: "10.0.0.1", port: 80, health: "healthy", tlsMode: "istio", workload: "web;shop;web;;c", tunnelled: false };

test("an endpoint of another weight is the same as one made with that weight", () => {
  for (const [from, to] of [
    [1, 2],
    [1, 300],
    [70_000, 1],
    [0xffffffff, 128],
    [5, 0xffffffff],
  ] as const) {
    const changed = encode(LbEndpointSchema, reweighEndpoint(encodeEndpoint(PLAIN, from), from, to));
    assert.deepEqual(changed, encode(LbEndpointSchema, encodeEndpoint(PLAIN, to)));
  }
});

test("health, TLS mode and address kind are written as said", () => {
  const read = (fields: Partial<EndpointSpelling>) =>
    fromBinary(LbEndpointSchema, encode(LbEndpointSchema, encodeEndpoint({ ...PLAIN, ...fields }, 1)));
  assert.deepEqual(
    (["unset", "healthy", "unhealthy", "draining"] as const).map((health) => read({ health }).healthStatus),
    [0, 1, 2, 3],
  );
  assert.deepEqual(read({}).metadata?.filterMetadata, {
    "envoy.transport_socket_match": { tlsMode: "istio" },
    istio: { workload: "web;shop;web;;c" },
  });
  assert.deepEqual(Object.keys(read({ tlsMode: "" }).metadata?.filterMetadata ?? {}), ["istio"]);
  const { hostIdentifier } = read({ address: "/run/web.sock", port: 0 });
  assert.equal(hostIdentifier.case === "endpoint" && hostIdentifier.value.address?.address.case, "pipe");
});

test("an assignment spells localities out, and says nothing of a weight that a group doesn't have", () => {
  const bytes = encodeAssignment("c", [
    { locality: "r1/z1", endpoints: [encodeEndpoint(PLAIN, 2)], weight: 2, priority: 0 },
    { locality: "", endpoints: [], weight: undefined, priority: 1 },
  ]);
  const { clusterName, endpoints } = fromBinary(ClusterLoadAssignmentSchema, fromBinary(AnySchema, bytes).value);
  assert.equal(clusterName, "c");
  assert.deepEqual(
    endpoints.map(({ locality, loadBalancingWeight, priority }) => [
      locality?.region,
      locality?.zone,
      locality?.subZone,
      loadBalancingWeight,
      priority,
    ]),
    [
      ["r1", "z1", "", 2, 0],
      ["", "", "", undefined, 1],
    ],
  );
});
