import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { agentSecret } from "#core/envoy/sds.ts";
import { automaticMtls, meshMtls } from "#core/envoy/transport-socket.ts";
import { commonTls, meshContext, meshTlsSocket, upstreamTlsSocket } from "#core/envoy/upstream-tls.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";

const texts = fc.array(fc.string({ unit: "grapheme" }));

test("TLS of the mesh that is written by hand is what the generated types make of it", () => {
  fc.assert(
    fc.property(
      texts,
      texts,
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("sds-grpc" as const, "ads" as const),
      (alpn, subjects, serverName, server) => {
        const [certificate, roots] = [agentSecret("default", server), agentSecret("ROOTCA", server)];
        const common = commonTls({ certificate, check: { kind: "roots", roots, subjects }, alpn, cipherSuites: [], curves: [] });
        const socket = upstreamTlsSocket(common, serverName);
        const mesh = { context: meshContext({ certificate, roots, alpn }), subjects, serverName };
        assert.deepEqual(encode(ClusterSchema, { transportSocket: meshTlsSocket(mesh) }), encode(ClusterSchema, { transportSocket: socket }));
        const expected = encode(ClusterSchema, { transportSocketMatches: automaticMtls(socket) });
        assert.deepEqual(encode(ClusterSchema, { transportSocketMatches: meshMtls(mesh) }), expected);
      },
    ),
  );
});
