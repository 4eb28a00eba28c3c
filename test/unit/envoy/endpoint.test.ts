import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { encodeAssignment, type LocalityGroup, loadAssignmentMessage, type SpelledEndpoint } from "#core/envoy/endpoint.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import type { LbEndpointSchema } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { type ClusterLoadAssignment, ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";

const SERVER = { workloadName: "web", namespace: "shop", cluster: "c", traits: { canonicalName: undefined, canonicalRevision: "latest" } };
const PLAIN: SpelledEndpoint = { address: "10.0.0.1", port: 80, health: "healthy", tlsMode: "istio", server: SERVER, tunnelled: false, weight: 1 };

function read(groups: readonly LocalityGroup[]): ClusterLoadAssignment {
  const any = fromBinary(AnySchema, encodeAssignment("c", groups));
  assert.equal(any.typeUrl, "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
  return fromBinary(ClusterLoadAssignmentSchema, any.value);
}

function readEndpoint(fields: Partial<SpelledEndpoint>) {
  const group = { locality: "", endpoints: [{ ...PLAIN, ...fields }], weight: 1, priority: 0 };
  const endpoint = read([group]).endpoints[0]?.lbEndpoints[0];
  assert.ok(endpoint);
  return endpoint;
}

test("health, TLS mode and address kind are written as said", () => {
  assert.deepEqual(
    (["unset", "healthy", "unhealthy", "draining"] as const).map((health) => readEndpoint({ health }).healthStatus),
    [0, 1, 2, 3],
  );
  assert.deepEqual(readEndpoint({}).metadata?.filterMetadata, {
    "envoy.transport_socket_match": { tlsMode: "istio" },
    istio: { workload: "web;shop;web;;c" },
  });
  assert.deepEqual(Object.keys(readEndpoint({ tlsMode: "" }).metadata?.filterMetadata ?? {}), ["istio"]);
  const { hostIdentifier } = readEndpoint({ address: "/run/web.sock", port: 0 });
  assert.equal(hostIdentifier.case === "endpoint" && hostIdentifier.value.address?.address.case, "pipe");
});

test("an assignment spells localities out, and says nothing of a weight that a group doesn't have", () => {
  const { clusterName, endpoints } = read([
    { locality: "r1/z1", endpoints: [{ ...PLAIN, weight: 2 }], weight: 2, priority: 0 },
    { locality: "", endpoints: [], weight: undefined, priority: 1 },
  ]);
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

const HEALTHS = ["unset", "healthy", "unhealthy", "draining"] as const;
const weights = fc.oneof(fc.constantFrom(0, 1, 127, 128, 0xffffffff), fc.nat(70_000));
const servers = fc.record({
  workloadName: fc.string({ unit: "grapheme" }),
  namespace: fc.string(),
  traits: fc.record({
    canonicalName: fc.option(fc.string({ maxLength: 300 }), { nil: undefined }),
    canonicalRevision: fc.constantFrom("", "v1", "latest"),
  }),
  cluster: fc.string(),
});
const endpoints = fc.record<SpelledEndpoint>({
  address: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("", "host.example.com", "hôte")),
  port: fc.integer({ min: 0, max: 65_535 }),
  health: fc.constantFrom(...HEALTHS),
  tlsMode: fc.constantFrom("", "istio", "own"),
  server: servers,
  tunnelled: fc.boolean(),
  weight: weights,
});
const groups = fc.record({
  locality: fc.constantFrom("", "r", "r/z", "r/z/s", "r/z/", "r/z/s/more"),
  endpoints: fc.array(endpoints, { maxLength: 4 }),
  weight: fc.option(weights, { nil: undefined }),
  priority: fc.nat(300),
});

/** The same in the generated types. */
function messageOf({ address, port, health, tlsMode, server, tunnelled, weight }: SpelledEndpoint): MessageInitShape<typeof LbEndpointSchema> {
  const target = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  const match = tunnelled ? { tunnel: "http" } : { tlsMode };
  const { canonicalName = server.workloadName, canonicalRevision } = server.traits;
  const revision = canonicalRevision === "latest" ? "" : canonicalRevision;
  return {
    hostIdentifier: { case: "endpoint", value: { address: { address: addressOf(address, port, tunnelled ? target : undefined) } } },
    healthStatus: HEALTHS.indexOf(health),
    metadata: {
      filterMetadata: {
        ...(tunnelled ? { "envoy.filters.listener.original_dst": { local: target } } : {}),
        ...(tunnelled || tlsMode !== "" ? { "envoy.transport_socket_match": match } : {}),
        istio: { workload: [server.workloadName, server.namespace, canonicalName, revision, server.cluster].join(";") },
      },
    },
    loadBalancingWeight: weight,
  };
}

function addressOf(address: string, port: number, tunnel: string | undefined) {
  const internal = { addressNameSpecifier: { case: "serverListenerName" as const, value: "connect_originate" }, endpointId: tunnel ?? "" };
  if (tunnel !== undefined) return { case: "envoyInternalAddress" as const, value: internal };
  if (port === 0) return { case: "pipe" as const, value: { path: address } };
  return { case: "socketAddress" as const, value: { address, portSpecifier: { case: "portValue" as const, value: port } } };
}

test("what is written by hand is what the generated types make of it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(groups, { maxLength: 4 }), (clusterName, list) => {
      const expected = create(ClusterLoadAssignmentSchema, {
        clusterName,
        endpoints: list.map(({ locality, endpoints, weight, priority }) => {
          const [region = "", zone = "", subZone = ""] = locality.split("/");
          const lbEndpoints = endpoints.map(messageOf);
          return { locality: { region, zone, subZone }, lbEndpoints, priority, ...(weight !== undefined && { loadBalancingWeight: weight }) };
        }),
      });
      const bytes = toBinary(ClusterLoadAssignmentSchema, expected);
      assert.deepEqual(fromBinary(AnySchema, encodeAssignment(clusterName, list)).value, bytes);
      assert.deepEqual(encode(ClusterLoadAssignmentSchema, loadAssignmentMessage(clusterName, list)), bytes);
    }),
  );
});
