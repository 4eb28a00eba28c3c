import type { ClusterMessage } from "#core/envoy/cluster.ts";
import { automaticMtls, PLAIN_SOCKET, type TransportSocket, withProxyProtocol } from "#core/envoy/transport-socket.ts";

export interface SocketChoice {
  /** Absent: plain text. */
  readonly socket: TransportSocket | undefined;
  /** Endpoints say themselves whether they take the socket or plain text. */
  readonly automatic: boolean;
  readonly proxyProtocol: "V1" | "V2" | undefined;
}

const NONE: ClusterMessage = {};

/** The sockets of a cluster; a PROXY protocol header comes before whatever each of them does (istio applyUpstreamTLSSettings, applyUpstreamProxyProtocol). */
export function socketPart({ socket, automatic, proxyProtocol }: SocketChoice): ClusterMessage {
  const wrap = (inner: TransportSocket) => (proxyProtocol === undefined ? inner : withProxyProtocol(proxyProtocol, inner));
  if (socket === undefined) return proxyProtocol === undefined ? NONE : { transportSocket: withProxyProtocol(proxyProtocol) };
  return automatic ? { transportSocketMatches: automaticMtls(wrap(socket), wrap(PLAIN_SOCKET)) } : { transportSocket: wrap(socket) };
}
