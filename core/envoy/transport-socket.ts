import type { MessageInitShape } from "@bufbuild/protobuf";
import { closeMessage, writeText } from "#core/lib/protobuf/by-hand.ts";
import { encode, encodeBy, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { fragment } from "#core/lib/protobuf/fragment.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import type { Writer } from "#core/lib/protobuf/writer.ts";
import { Cluster_TransportSocketMatchSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { ProxyProtocolConfig_Version } from "#proto/envoy/config/core/v3/proxy_protocol_pb.js";
import { ProxyProtocolUpstreamTransportSchema } from "#proto/envoy/extensions/transport_sockets/proxy_protocol/v3/upstream_proxy_protocol_pb.js";
import { RawBufferSchema } from "#proto/envoy/extensions/transport_sockets/raw_buffer/v3/raw_buffer_pb.js";
import { type MeshTls, TLS_SOCKET, writeMeshTls } from "./upstream-tls.ts";

export type TransportSocket = MessageInitShape<typeof TransportSocketSchema>;
export type TransportSocketMatch = MessageInitShape<typeof Cluster_TransportSocketMatchSchema>;

/** No transport security at all, said explicitly. */
export const PLAIN_SOCKET: TransportSocket = encodeFragment(TransportSocketSchema, rawBuffer("envoy.transport_sockets.raw_buffer"));

/** What a proxy protocol header is put before where nothing else is; Istio names it differently there. */
const BARE_SOCKET: TransportSocket = encodeFragment(TransportSocketSchema, rawBuffer("raw_buffer"));

function rawBuffer(name: string): TransportSocket {
  return { name, configType: { case: "typedConfig", value: packed(RawBufferSchema, {}) } };
}

/** Puts a PROXY protocol header before whatever else the socket does. */
export function withProxyProtocol(version: "V1" | "V2", socket: TransportSocket = BARE_SOCKET): TransportSocket {
  const value = packed(ProxyProtocolUpstreamTransportSchema, {
    config: { version: version === "V2" ? ProxyProtocolConfig_Version.V2 : ProxyProtocolConfig_Version.V1 },
    transportSocket: socket,
  });
  return { name: "envoy.transport_sockets.upstream_proxy_protocol", configType: { case: "typedConfig", value } };
}

/** Endpoints marked `tlsMode: istio` are spoken to with mutual TLS, all others in plain text. */
export function automaticMtls(mutual: TransportSocket, plain: TransportSocket = PLAIN_SOCKET): TransportSocketMatch[] {
  return [
    { name: "tlsMode-istio", match: MUTUAL_ENDPOINTS, transportSocket: mutual },
    plain === PLAIN_SOCKET ? PLAIN_ENDPOINTS : plainEndpoints(plain),
  ];
}

const MUTUAL_ENDPOINTS = { tlsMode: "istio" };

/** The same for TLS of the mesh, as most clusters of a mesh have it: written by hand. A test compares with what the generated types make. */
export function meshMtls(tls: MeshTls): TransportSocketMatch[] {
  return [
    fragment(
      Cluster_TransportSocketMatchSchema,
      encodeBy((writer) => writeMutualMatch(writer, tls)),
    ),
    PLAIN_ENDPOINTS,
  ];
}

/** TransportSocketMatch: name = 1, match = 2, transport_socket = 3. TransportSocket: name = 1, typed_config = 3. */
function writeMutualMatch(writer: Writer, tls: MeshTls): void {
  const socket = writer.size;
  writeMeshTls(writer, tls);
  closeMessage(writer, socket, 0x1a);
  writeText(writer, TLS_SOCKET, 0x0a);
  closeMessage(writer, socket, 0x1a);
  writer.raw(MUTUAL_HEAD);
}

const MUTUAL_HEAD = encode(Cluster_TransportSocketMatchSchema, { name: "tlsMode-istio", match: MUTUAL_ENDPOINTS });

function plainEndpoints(transportSocket: TransportSocket): TransportSocketMatch {
  return { name: "tlsMode-disabled", match: {}, transportSocket };
}

const PLAIN_ENDPOINTS: TransportSocketMatch = encodeFragment(Cluster_TransportSocketMatchSchema, plainEndpoints(PLAIN_SOCKET));
