import { test } from "node:test";
import * as fc from "fast-check";
import { resourceViolations, violations } from "#core/envoy/constraints.ts";
import { encode, encodeAny } from "#core/lib/protobuf/encode.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { literalsOf } from "#test/support/literals.ts";

const SCHEMAS = [ClusterSchema, ListenerSchema, RouteConfigurationSchema];

test("judging a resource never throws: not on any message, cut anywhere, nor on any bytes", { timeout: 60_000 }, () => {
  const schemas = fc.constantFrom(...SCHEMAS);
  const messages = schemas.chain((schema) => fc.tuple(fc.constant(schema), literalsOf(schema, 5), fc.double({ min: 0, max: 1, noNaN: true })));
  fc.assert(
    fc.property(messages, fc.uint8Array(), ([schema, literal, cut], noise) => {
      const bytes = encode(schema, literal);
      violations(schema, bytes);
      violations(schema, bytes.subarray(0, bytes.length * cut));
      violations(schema, noise);
      resourceViolations(encodeAny(schema, literal));
      resourceViolations(noise);
    }),
    { numRuns: 200 },
  );
});
