import { isSubsetOf } from "#core/lib/hostname.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { TcpBody } from "../listeners/outbound/chain.ts";
import { directBody } from "../listeners/outbound/tcp-body.ts";
import { outboundServerName } from "../names.ts";
import { statName } from "../stat-name.ts";
import type { RouterChain } from "./chain.ts";
import type { GatewaySettings } from "./settings.ts";

/** What proxies of the mesh offer when they speak mutual TLS: by it plaintext clients of the same names are told apart. */
const MESH_PROTOCOLS = ["istio", "istio-peer-exchange", "istio-http/1.0", "istio-http/1.1", "istio-h2"];

/**
 * The chains of an east-west server: one for each port and subset of each service of the mesh that a host of the server covers, by the name under which
 * other networks ask for it (istio `gateway.go` builtAutoPassthroughFilterChains).
 */
export function autoPassthroughChains(hosts: readonly string[], scope: Scope, settings: GatewaySettings): readonly RouterChain[] {
  return scope.services.flatMap((scoped) => {
    const { service, rule } = scoped;
    if (service.meshExternal || !hosts.some((host) => isSubsetOf(service.host, host))) return [];
    const subsets = ["", ...(rule?.subsets ?? []).map(({ name }) => name)];
    const ports = service.ports.filter(({ protocol }) => protocol !== "UDP");
    return ports.flatMap((port) => subsets.map((subset) => chainTo(scoped, port, subset, settings)));
  });
}

function chainTo({ service, rule, ruleSources }: ScopedService, port: ServicePort, subset: string, { listeners }: GatewaySettings): RouterChain {
  const cluster = outboundServerName(port.number, subset, service.host);
  const pattern = listeners.outboundStatName;
  const subject = { host: service.host, service, subset, port: port.number, portName: port.name, targetPort: 0 };
  const proxy: TcpBody = {
    ...directBody(rule, subset, listeners),
    statPrefix: pattern === "" ? cluster : statName(pattern, subject),
    targets: { kind: "cluster", cluster },
    mongo: port.protocol === "Mongo",
  };
  return {
    serverNames: [cluster],
    applicationProtocols: MESH_PROTOCOLS,
    // Who may come in is decided where TLS ends.
    body: { kind: "tcp", proxy, exchangesMetadata: false, authorized: false },
    secrets: [],
    from: [...service.sources, ...ruleSources],
  };
}
