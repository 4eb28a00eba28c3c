import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";
import { compareText } from "#core/lib/compare.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { NodeSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { HttpConnectionManagerSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { UpstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import { DiscoveryResponseSchema } from "#proto/envoy/service/discovery/v3/discovery_pb.js";
import { FieldRulesSchema } from "#proto/validate/validate_pb.js";
import { literalsOf } from "#test/support/literals.ts";

const SCHEMAS: readonly DescMessage[] = [
  ClusterSchema,
  ListenerSchema,
  RouteConfigurationSchema,
  ClusterLoadAssignmentSchema,
  HttpConnectionManagerSchema,
  UpstreamTlsContextSchema,
  DiscoveryResponseSchema,
  NodeSchema,
  StructSchema,
  ValueSchema,
  // Rules of proto2: explicit presence, defaults on the prototype.
  FieldRulesSchema,
];

for (const schema of SCHEMAS) {
  test(`a literal of ${schema.typeName} is encoded to the bytes of protobuf-es over sorted maps`, { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(literalsOf(schema), (literal) => {
        const message = create(schema, sortKeys(literal) as Record<string, unknown>);
        const expected = toBinary(schema, message);
        assert.deepEqual(encode(schema, literal), expected);
        assert.deepEqual(encode(schema, message), expected, "the message that create() makes of it");
        assert.deepEqual(encode(schema, sortKeys(fromBinary(schema, expected)) as Record<string, unknown>), expected, "decoded and encoded again");
      }),
      { numRuns: 150 },
    );
  });
}

/** The order of fields in a literal means nothing; that of map entries is what protobuf-es writes. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.setPrototypeOf(Object.fromEntries(sorted.map(([key, item]) => [key, sortKeys(item)])), Object.getPrototypeOf(value));
}
