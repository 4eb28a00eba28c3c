import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { resourceViolations, violations } from "#core/envoy/constraints.ts";
import { encode, encodeAny, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { Cluster_DiscoveryType, Cluster_LbPolicy, ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { VirtualHostSchema, WeightedClusterSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { HttpConnectionManagerSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";

function broken<D extends DescMessage>(schema: D, message: MessageInitShape<D>): string[] {
  return violations(schema, encode(schema, message)).map(({ path, rule }) => `${path}: ${rule}`);
}

test("a cluster needs a name", () => {
  assert.deepEqual(broken(ClusterSchema, { clusterDiscoveryType: EDS, edsClusterConfig: {} }), ["name: must not be empty"]);
  assert.deepEqual(broken(ClusterSchema, { name: "a", clusterDiscoveryType: EDS, edsClusterConfig: {} }), []);
});

test("durations and numbers have bounds, in wrappers too", () => {
  const cluster = { name: "a", clusterDiscoveryType: EDS, edsClusterConfig: {} };
  assert.deepEqual(broken(ClusterSchema, { ...cluster, connectTimeout: { seconds: 0n } }), ["connectTimeout: must be greater than 0"]);
  assert.deepEqual(broken(ClusterSchema, { ...cluster, connectTimeout: { nanos: 1 } }), []);
  assert.deepEqual(broken(ClusterSchema, { ...cluster, lbPolicy: 99 as Cluster_LbPolicy }), ["lbPolicy: must be a defined value"]);
  const ring = { case: "ringHashLbConfig" as const, value: { minimumRingSize: 9_000_000n } };
  assert.deepEqual(broken(ClusterSchema, { ...cluster, lbConfig: ring }), [
    "ringHashLbConfig.minimumRingSize: must be at most 8388608",
    "ringHashLbConfig.minimumRingSize: must be at most maximumRingSize",
  ]);
});

test("a required oneof, a required message and the size of a list are counted", () => {
  const host = { name: "h", domains: [], routes: [{ match: {}, action: { case: "route" as const, value: {} } }] };
  assert.deepEqual(broken(VirtualHostSchema, host), [
    "routes[0].match.path_specifier: must be set",
    "routes[0].route.cluster_specifier: must be set",
    "domains: must have at least 1",
  ]);
});

test("header names and values can't break a line", () => {
  const host = { name: "h", domains: ["*"], requestHeadersToAdd: [{ header: { key: "a\nb", value: "c" } }, { header: { key: "a", value: "b\r" } }] };
  assert.deepEqual(broken(VirtualHostSchema, host), [
    "requestHeadersToAdd[0].header.key: must be a header name",
    "requestHeadersToAdd[1].header.value: must be a header value",
  ]);
});

test("fragments and what is packed in an Any are looked at, and the path leads there", () => {
  const manager = packed(HttpConnectionManagerSchema, {
    statPrefix: "x",
    routeSpecifier: { case: "routeConfig", value: { virtualHosts: [encodeFragment(VirtualHostSchema, { name: "", domains: ["a"] })] } },
  });
  const listener = {
    name: "l",
    address: { address: { case: "pipe" as const, value: { path: "/x" } } },
    filterChains: [{ filters: [{ name: "f", configType: { case: "typedConfig" as const, value: manager } }] }],
  };
  const found = resourceViolations(encodeAny(ListenerSchema, listener));
  assert.deepEqual(found, [{ path: "filterChains[0].filters[0].typedConfig.routeConfig.virtualHosts[0].name", rule: "must not be empty" }]);
});

test("a domain belongs to one virtual host, in any case", () => {
  const config = { virtualHosts: [host("a", ["x", "Y"]), host("b", ["y"])] };
  assert.deepEqual(broken(RouteConfigurationSchema, config), ["virtualHosts[1].domains[0]: must be the only domain y"]);
});

test("host and pseudo-headers are not set as headers", () => {
  const config = { requestHeadersToRemove: ["x", "Host"], responseHeadersToAdd: [{ header: { key: ":status", value: "1" } }] };
  assert.equal(broken(RouteConfigurationSchema, config).length, 2);
});

test("weights add up to something", () => {
  const clusters = [
    { name: "a", weight: 0 },
    { name: "b", weight: 0 },
  ];
  assert.equal(broken(WeightedClusterSchema, { clusters }).length, 1);
  assert.equal(broken(WeightedClusterSchema, { clusters: [...clusters, { name: "c", weight: 1 }] }).length, 0);
});

test("filter chains that match alike in one combination collide", () => {
  const chains = (...names: string[][]) => ({
    address: ADDRESS,
    filterChains: names.map((serverNames) => ({ filterChainMatch: { serverNames } })),
  });
  assert.deepEqual(broken(ListenerSchema, chains(["a", "b"], ["c"])), []);
  assert.deepEqual(broken(ListenerSchema, chains(["a", "b"], ["c", "b"])), [
    "filterChains[1].filterChainMatch: must differ from what filterChains[0] matches",
  ]);
  assert.equal(broken(ListenerSchema, chains(["*a"])).length, 1);
});

test("a cluster says how its endpoints are found, once", () => {
  const dns = { case: "type" as const, value: Cluster_DiscoveryType.LOGICAL_DNS };
  assert.deepEqual(broken(ClusterSchema, { name: "a", clusterDiscoveryType: dns }), [
    "loadAssignment: must have exactly one endpoint in a LOGICAL_DNS cluster",
  ]);
  const original = { case: "type" as const, value: Cluster_DiscoveryType.ORIGINAL_DST };
  assert.equal(broken(ClusterSchema, { name: "a", clusterDiscoveryType: original }).length, 1);
  assert.equal(broken(ClusterSchema, { name: "a", clusterDiscoveryType: original, lbPolicy: Cluster_LbPolicy.CLUSTER_PROVIDED }).length, 0);
});

test("bytes that are no message break a rule, and nothing is thrown", () => {
  const bytes = encode(ClusterSchema, { name: "a", clusterDiscoveryType: EDS, edsClusterConfig: { serviceName: "b" } });
  for (let length = 1; length < bytes.length; length++) violations(ClusterSchema, bytes.subarray(0, length));
  assert.ok(violations(ClusterSchema, bytes.subarray(0, bytes.length - 1)).length > 0);
});

const EDS = { case: "type" as const, value: Cluster_DiscoveryType.EDS };
const ADDRESS = { address: { case: "pipe" as const, value: { path: "/x" } } };

function host(name: string, domains: string[]) {
  return { name, domains };
}
