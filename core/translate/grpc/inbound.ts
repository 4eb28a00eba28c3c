import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeServerListener } from "#core/envoy/api-listener.ts";
import { providerServerSocket } from "#core/envoy/provider-tls.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import type { MtlsMode, ServiceTarget, Workload } from "#core/model/workload.ts";

/** Before the address in the names by which gRPC servers ask for their listeners (istio `grpcxds` ServerListenerNamePrefix). */
const PREFIX = "xds.istio.io/grpc/lds/inbound/";

/** Where servers that say nothing else listen. */
export const COMMON_HOSTS = ["0.0.0.0", "::", "127.0.0.1", "::1"];

export interface GrpcServer {
  readonly workload: Workload;
  /** The bootstrap has a certificate provider. */
  readonly hasCertificate: boolean;
  /** Clients of the mesh know that the workload speaks mutual TLS (label `security.istio.io/tlsMode`). */
  readonly speaksMtls: boolean;
}

/**
 * The listeners of a gRPC server at some addresses: one for each port that a service targets. gRPC takes either mutual TLS or plain text, so that PERMISSIVE
 * means what clients expect (istio `grpcgen/lds.go` buildInboundListeners). A port that insists on what the server can't do has no listener.
 */
export function grpcInbound(server: GrpcServer, hosts: readonly string[]): readonly Resource[] {
  const byPort = new Map<number, ServiceTarget>(server.workload.targets.map((target) => [target.targetPort, target]));
  return [...byPort.values()].flatMap((target) => hosts.flatMap((host) => serverListener(server, target, host)));
}

function serverListener(
  { workload, hasCertificate, speaksMtls }: GrpcServer,
  { targetPort: port, service }: ServiceTarget,
  address: string,
): readonly Resource[] {
  const mode = effectiveMode(workload.mtls.ports[port] ?? workload.mtls.mode, hasCertificate && speaksMtls);
  if (mode === "STRICT" && !hasCertificate) return [];
  const name = `${PREFIX}${hostAndPort(address, port)}`;
  const bytes = encodeServerListener({ name, address, port, ...(mode === "STRICT" && { socket: providerServerSocket() }) });
  return [makeResource("listeners", name, bytes, NO_NEEDS, [...service.sources, ...workload.mtls.sources])];
}

function effectiveMode(mode: MtlsMode, expected: boolean): "DISABLE" | "STRICT" {
  return mode === "STRICT" || (mode === "PERMISSIVE" && expected) ? "STRICT" : "DISABLE";
}
