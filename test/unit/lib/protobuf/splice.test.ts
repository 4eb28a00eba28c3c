import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "#core/lib/protobuf/encode.ts";
import { concatBytes, messageField } from "#core/lib/protobuf/splice.ts";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";

test("parts encoded apart are the bytes of the whole", () => {
  const host = { name: "api:80", domains: ["a".repeat(200)] };
  const whole = encode(RouteConfigurationSchema, { name: "80", virtualHosts: [host, host], validateClusters: false });
  const fragment = messageField(2, encode(VirtualHostSchema, host));
  const spliced = concatBytes([
    encode(RouteConfigurationSchema, { name: "80" }),
    fragment,
    fragment,
    encode(RouteConfigurationSchema, { validateClusters: false }),
  ]);
  assert.deepEqual(spliced, whole);
});
