import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "#core/lib/protobuf/encode.ts";
import { fragment } from "#core/lib/protobuf/fragment.ts";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";

test("a fragment in parts is put together where it stands", () => {
  const host = { name: "api:80", domains: ["api"], includeRequestAttemptCount: true };
  const parts = [
    encode(VirtualHostSchema, { name: host.name, domains: host.domains }),
    encode(VirtualHostSchema, { includeRequestAttemptCount: true }),
  ];
  const whole = encode(RouteConfigurationSchema, { name: "80", virtualHosts: [host] });
  assert.deepEqual(encode(RouteConfigurationSchema, { name: "80", virtualHosts: [fragment(VirtualHostSchema, parts)] }), whole);
});
