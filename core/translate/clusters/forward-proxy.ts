import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { type ClusterMessage, encodeCluster, istioMetadata } from "#core/envoy/cluster.ts";
import { forwardProxy } from "#core/envoy/cluster-discovery.ts";
import { commonLb } from "#core/envoy/load-balancer.ts";
import type { UpstreamHttpFields } from "#core/envoy/upstream-http.ts";
import type { Protocol } from "#core/model/protocol.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import { hostDnsCache } from "../dynamic-dns.ts";
import { outboundClusterName } from "../names.ts";
import { effectivePolicy } from "../policy/effective.ts";
import { commonHttp, connectionPart, pooledProtocol } from "./connection-pool.ts";
import { alpnEntry, ruleEntry } from "./metadata.ts";
import { httpPart, sourcesOf, upstreamFilters } from "./outbound-cluster.ts";
import { outlierPart, panicThreshold } from "./outlier-detection.ts";
import type { ClusterSettings } from "./settings.ts";
import { tlsParts } from "./tls.ts";
import { chooseTls } from "./tls-choice.ts";
import { socketPart } from "./transport-sockets.ts";
import { declaredProtocol, upgradedProtocol } from "./upstream-protocol.ts";

/** Only these say which host they mean. */
const NAMING: ReadonlySet<Protocol> = new Set(["HTTP", "TLS", "GRPC", "HTTP2"]);

const DERIVED = { auto: true, validate: true } as const;

/** Any host may answer, so Istio expects nobody in particular. */
const NOBODY: readonly string[] = [];

/**
 * The cluster of a wildcard ServiceEntry with resolution DYNAMIC_DNS: whatever host a request names is resolved then. It has neither subsets nor a
 * choice of hosts (istio `core/cluster_builder.go` buildDFPCluster).
 */
export function forwardProxyCluster(scoped: ScopedService, port: ServicePort, settings: ClusterSettings): readonly Resource[] {
  if (!NAMING.has(port.protocol)) return [];
  const { connection, outbound } = settings;
  const { service, rule } = scoped;
  const policy = effectivePolicy(rule, port.number, "", connection.defaultTrafficPolicy);
  const pool = policy.connectionPool;
  const declared = declaredProtocol(port.protocol, { detects: outbound.node === "sidecar", preserveCase: connection.preserveHeaderCase });
  const protocol = pooledProtocol(upgradedProtocol(declared, port.protocol, pool?.http, outbound.upgradesHttp2), pool);
  const name = outboundClusterName(port.number, "", service.host);
  const choice = chooseTls({ scoped, port, identities: NOBODY, serverName: "", ...(policy.tls && { wanted: policy.tls }) }, outbound);
  const selected = rule?.workloadSelector !== undefined;
  const context = { cluster: name, registry: service.registry, identities: NOBODY, http2: protocol?.kind === "http2", selected, dynamic: true };
  const tls = tlsParts(choice?.tls, context, outbound);
  const common = commonHttp(pool);
  // HTTP settings of any kind bring the question up; without TLS the answer changes nothing.
  const derives = outbound.alwaysDerivesNames && (protocol !== undefined || common !== undefined);
  const automatic = choice?.automatic === true && choice.tls.mode === "ISTIO_MUTUAL";
  const message: ClusterMessage = {
    name,
    altStatName: `${name};`,
    ...connectionPart(pool, policy.retryBudget, connection),
    ...forwardProxy(hostDnsCache(service.host, connection.families), isInsecure(tls.serverName)),
    ...httpPart({ protocol, common, serverName: tls.serverName ?? (derives ? DERIVED : undefined) }),
    ...outlierPart(policy.outlierDetection),
    ...(policy.outlierDetection && {
      commonLbConfig: commonLb({
        panicThreshold: panicThreshold(policy.outlierDetection, service.trafficDistribution !== "any"),
        keepDraining: false,
      }),
    }),
    ...socketPart({ tls, automatic, proxyProtocol: policy.proxyProtocol?.version }),
    ...metadataPart(scoped, alpnEntry(policy.tls)),
    ...upstreamFilters(settings),
  };
  return [makeResource("clusters", name, encodeCluster(message), { ...NO_NEEDS, secrets: tls.secrets }, sourcesOf(scoped))];
}

/** Envoy refuses TLS whose server name is not derived and checked, unless that is said to be meant. */
export function isInsecure(serverName: UpstreamHttpFields["serverName"]): boolean {
  return serverName !== undefined && !(serverName.auto && serverName.validate);
}

function metadataPart({ service, rule }: ScopedService, alpn: ReturnType<typeof alpnEntry>): ClusterMessage {
  if (!service.meshExternal && rule === undefined) return {};
  return { metadata: istioMetadata({ ...(service.meshExternal ? { external: true } : {}), ...(rule ? { config: ruleEntry(rule), ...alpn } : {}) }) };
}
