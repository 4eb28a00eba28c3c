import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { hashPolicy } from "#core/envoy/hash-policy.ts";
import { encodeRoute, route } from "#core/envoy/route.ts";
import { forward } from "#core/envoy/route-action.ts";
import { type ServiceRouteFields, serviceRoutes } from "#core/envoy/service-route.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { RouteSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";

const NO_CHANGES = { write: [], remove: [] };

const fields = fc.record<ServiceRouteFields>({
  name: fc.string(),
  match: fc.record({
    path: fc.record({ kind: fc.constantFrom("prefix", "path"), value: fc.string() }),
    headers: fc.constant([]),
    query: fc.constant([]),
    metadata: fc.constant([]),
  }),
  action: fc.record({
    timeout: fc.record({ seconds: fc.nat(100), nanos: fc.constantFrom(0, 5) }),
    hostRewrite: fc.string(),
    appendXForwardedHost: fc.boolean(),
    mirrors: fc.constant([]),
    hash: fc.constantFrom([], [hashPolicy({ kind: "source-ip", enabled: true })]),
    missingClusterIsError: fc.boolean(),
    proxyless: fc.boolean(),
  }),
});

test("a route that is written by hand is what the generated types make of it", () => {
  fc.assert(
    fc.property(
      fields,
      fc.string({ minLength: 1, maxLength: 300 }),
      fc.string({ unit: "grapheme", minLength: 1 }),
      ({ name, match, action }, operation, cluster) => {
        const written = encode(RouteSchema, serviceRoutes({ name, match, action })(cluster, operation));
        const literal = route({
          name,
          match,
          action: forward({ ...action, targets: { kind: "cluster", cluster } }),
          config: "",
          operation,
          statPrefix: "",
          requestHeaders: NO_CHANGES,
          responseHeaders: NO_CHANGES,
          filters: {},
        });
        assert.deepEqual(written, encode(RouteSchema, encodeRoute(literal)));
        assert.deepEqual(written, toBinary(RouteSchema, create(RouteSchema, fromBinary(RouteSchema, written))));
      },
    ),
  );
});
