import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { automaticMtls, meshMtls } from "#core/envoy/transport-socket.ts";
import { commonTls, upstreamTlsSocket } from "#core/envoy/upstream-tls.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";

test("TLS of the mesh that is written by hand is what the generated types make of it", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string({ unit: "grapheme", maxLength: 300 }), (alpn, serverName) => {
      const common = commonTls({ check: { kind: "none" }, alpn, cipherSuites: [], curves: [] });
      const expected = encode(ClusterSchema, { transportSocketMatches: automaticMtls(upstreamTlsSocket(common, serverName)) });
      assert.deepEqual(encode(ClusterSchema, { transportSocketMatches: meshMtls({ common, serverName }) }), expected);
    }),
  );
});
