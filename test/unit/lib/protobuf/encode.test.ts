import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { encode, encodeAny, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { MetadataSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { RouteSchema, VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { RouterSchema } from "#proto/envoy/extensions/filters/http/router/v3/router_pb.js";

test("the order of fields and of map keys in a literal does not show in the bytes", () => {
  const one = { name: "a", metadata: { filterMetadata: { x: { k: 1, l: [true, null] }, "10": { a: "b" }, "9": {} } }, altStatName: "b" };
  const other = { altStatName: "b", metadata: { filterMetadata: { "9": {}, "10": { a: "b" }, x: { l: [true, null], k: 1 } } }, name: "a" };
  assert.deepEqual(encode(ClusterSchema, one), encode(ClusterSchema, other));
  assert.deepEqual(fromBinary(ClusterSchema, encode(ClusterSchema, one)), create(ClusterSchema, one));
});

test("map keys are sorted as text, also those that look like numbers", () => {
  const keys = ["10", "9", "a", "", "B"];
  const bytes = encode(MetadataSchema, { filterMetadata: Object.fromEntries(keys.map((key) => [key, {}])) });
  const parts = ["", "10", "9", "B", "a"].map((key) => Buffer.from(encode(MetadataSchema, { filterMetadata: { [key]: {} } })));
  assert.deepEqual(Buffer.from(bytes), Buffer.concat(parts));
});

test("undefined and null are absence", () => {
  const literal = { name: undefined, edsClusterConfig: null, clusterDiscoveryType: { case: undefined }, lbSubsetConfig: undefined };
  assert.equal(encode(ClusterSchema, literal as object).length, 0);
});

test("a fragment is spliced in lists, fields, oneofs and maps, and gives the bytes of the whole", () => {
  const route = { name: "r", match: { pathSpecifier: { case: "prefix" as const, value: "/" } } };
  const host = { name: "h", domains: ["*"], metadata: { filterMetadata: { istio: { a: 1 } } } };
  const whole = encode(RouteConfigurationSchema, { name: "80", virtualHosts: [{ ...host, routes: [route, route] }] });
  const { metadata, ...rest } = host;
  const hostFragment = encodeFragment(VirtualHostSchema, {
    ...rest,
    metadata: encodeFragment(MetadataSchema, metadata),
    routes: [encodeFragment(RouteSchema, route), route],
  });
  assert.deepEqual(encode(RouteConfigurationSchema, { name: "80", virtualHosts: [hostFragment] }), whole);
  assert.deepEqual(encode(VirtualHostSchema, hostFragment), encode(VirtualHostSchema, { ...host, routes: [route, route] }));
});

test("a packed message is an Any with Envoy's type URL, encoded in place", () => {
  const typeUrl = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
  const value = toBinary(ClusterSchema, create(ClusterSchema, { name: "a" }));
  const expected = toBinary(AnySchema, create(AnySchema, { typeUrl, value }));
  assert.deepEqual(encodeAny(ClusterSchema, { name: "a" }), expected);
  assert.deepEqual(encode(AnySchema, packed(ClusterSchema, encodeFragment(ClusterSchema, { name: "a" }))), expected);
  const options = { typedExtensionProtocolOptions: { x: packed(ClusterSchema, { name: "a" }) } };
  assert.deepEqual(encode(ClusterSchema, options), encode(ClusterSchema, { typedExtensionProtocolOptions: { x: { typeUrl, value } } }));
});

test("an Any of an empty message has no value", () => {
  const typeUrl = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";
  assert.deepEqual(encodeAny(RouterSchema, {}), toBinary(AnySchema, create(AnySchema, { typeUrl })));
});

test("text that is longer than the buffer, not ASCII, or broken is written as UTF-8", () => {
  for (const name of ["x".repeat(300_000), "é".repeat(50_000), "naïve", "a\u{1f600}b"]) {
    assert.equal(fromBinary(ClusterSchema, encode(ClusterSchema, { name, altStatName: name })).name, name);
  }
  assert.equal(fromBinary(ClusterSchema, encode(ClusterSchema, { name: "a\ud800" })).name, "a\ufffd");
});
