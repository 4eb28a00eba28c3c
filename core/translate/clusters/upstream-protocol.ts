import type { UpstreamProtocol } from "#core/envoy/upstream-http.ts";
import type { Protocol } from "#core/model/protocol.ts";
import type { ConnectionPool } from "#core/model/traffic-policy.ts";

export const HTTP2_PROTOCOLS: ReadonlySet<Protocol> = new Set(["HTTP2", "GRPC", "GRPC-Web"]);
const HTTP_PROTOCOLS: ReadonlySet<Protocol> = new Set(["HTTP", "HTTP_PROXY", "HTTP2", "GRPC", "GRPC-Web"]);

const HTTP2: UpstreamProtocol = { kind: "http2" };
const HTTP1: UpstreamProtocol = { kind: "http1", preserveCase: true };
const DOWNSTREAM: UpstreamProtocol = { kind: "downstream", preserveCase: false };

/**
 * The HTTP that a port speaks by its own declaration; undefined leaves it to Envoy (HTTP/1, where it is HTTP at all). Whoever does not declare one is
 * spoken to as the client speaks, but only by sidecars, which detect what that is (istio `core/cluster_builder.go` setUpstreamProtocol).
 */
export function declaredProtocol(
  protocol: Protocol,
  client: { readonly detects: boolean; readonly preserveCase: boolean },
): UpstreamProtocol | undefined {
  if (HTTP2_PROTOCOLS.has(protocol)) return HTTP2;
  const undeclared = protocol === "Unsupported";
  if (undeclared && client.detects) return client.preserveCase ? { kind: "downstream", preserveCase: true } : DOWNSTREAM;
  return client.preserveCase && (undeclared || HTTP_PROTOCOLS.has(protocol)) ? HTTP1 : undefined;
}

/** HTTP/1 becomes HTTP/2 where the rule says so, whatever the port, or else the mesh, for HTTP ports (istio shouldH2Upgrade). */
export function upgradedProtocol(
  declared: UpstreamProtocol | undefined,
  port: Protocol,
  http: ConnectionPool["http"],
  meshUpgrades: boolean,
): UpstreamProtocol | undefined {
  if (declared !== undefined || http?.useClientProtocol === true || http?.h2UpgradePolicy === "DO_NOT_UPGRADE") return declared;
  return http?.h2UpgradePolicy === "UPGRADE" || (meshUpgrades && HTTP_PROTOCOLS.has(port)) ? HTTP2 : declared;
}
