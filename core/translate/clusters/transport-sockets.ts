import type { ClusterMessage } from "#core/envoy/cluster.ts";
import { automaticMtls, meshMtls, PLAIN_SOCKET, type TransportSocket, withProxyProtocol } from "#core/envoy/transport-socket.ts";
import { meshTlsSocket } from "#core/envoy/upstream-tls.ts";
import type { TlsParts } from "./tls.ts";

export interface SocketChoice {
  /** Without a socket: plain text. */
  readonly tls: Pick<TlsParts, "socket" | "mesh">;
  /** Endpoints say themselves whether they take the socket or plain text. */
  readonly automatic: boolean;
  readonly proxyProtocol: "V1" | "V2" | undefined;
}

const NONE: ClusterMessage = {};

/** The sockets of a cluster; a PROXY protocol header comes before whatever each of them does (istio applyUpstreamTLSSettings, applyUpstreamProxyProtocol). */
export function socketPart({ tls: { socket: given, mesh }, automatic, proxyProtocol }: SocketChoice): ClusterMessage {
  if (automatic && mesh !== undefined && proxyProtocol === undefined) return { transportSocketMatches: meshMtls(mesh) };
  const socket = mesh === undefined ? given : meshTlsSocket(mesh);
  const wrap = (inner: TransportSocket) => (proxyProtocol === undefined ? inner : withProxyProtocol(proxyProtocol, inner));
  if (socket === undefined) return proxyProtocol === undefined ? NONE : { transportSocket: withProxyProtocol(proxyProtocol) };
  return automatic ? { transportSocketMatches: automaticMtls(wrap(socket), wrap(PLAIN_SOCKET)) } : { transportSocket: wrap(socket) };
}
