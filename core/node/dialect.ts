import type { Dialect } from "./facts.ts";
import type { NodeMessage } from "./message.ts";

/** Who speaks decides the spelling (DESIGN 4): Istio's proxy says its version, gRPC names itself, everything else is a plain Envoy. */
export function dialectOf(node: NodeMessage): Dialect {
  if (node.metadata.GENERATOR === "grpc" || node.userAgentName.startsWith("gRPC")) return "grpc";
  return typeof node.metadata.ISTIO_VERSION === "string" ? "istio-proxy" : "envoy";
}
