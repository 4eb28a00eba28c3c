import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { type ClusterMessage, encodeCluster, istioMetadata, METADATA_EXCHANGE } from "#core/envoy/cluster.ts";
import { type Assignment, dnsSettings, endpointDiscovery, nameResolution, originalDestination } from "#core/envoy/cluster-discovery.ts";
import { commonLb } from "#core/envoy/load-balancer.ts";
import { type UpstreamHttpFields, upstreamHttp } from "#core/envoy/upstream-http.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Subset } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import { type EffectivePolicy, effectivePolicy } from "../policy/effective.ts";
import { localitySetting } from "../policy/locality-setting.ts";
import { statName } from "../stat-name.ts";
import { commonHttp, connectionPart, pooledProtocol } from "./connection-pool.ts";
import { acceptedIdentities } from "./identities.ts";
import { lbPart, localityPart } from "./load-balancing.ts";
import { alpnEntry, exchangeEntry, ruleEntry, serviceEntry } from "./metadata.ts";
import { outlierPart, panicThreshold } from "./outlier-detection.ts";
import type { ClusterSettings, ConnectionSettings } from "./settings.ts";
import { tlsParts } from "./tls.ts";
import { chooseTls } from "./tls-choice.ts";
import { socketPart } from "./transport-sockets.ts";
import { declaredProtocol, upgradedProtocol } from "./upstream-protocol.ts";

/** What one outbound cluster is made of. */
export interface OutboundCluster {
  readonly name: string;
  readonly scoped: ScopedService;
  readonly port: ServicePort;
  /** Absent: the cluster of the whole service. */
  readonly subset?: Subset;
  /** Where its hosts come from, if no balancer insists on the original destination. */
  readonly hosts: Hosts;
  /** The name under which a server in the mesh knows it; absent: it is for a gateway that hands TLS on, and so has none of its own. */
  readonly serverName?: string;
  /** Objects read beside those of the scoped service. */
  readonly from?: readonly ObjectKey[];
}

export type Hosts =
  | { readonly kind: "eds" }
  | { readonly kind: "original-destination" }
  | { readonly kind: "names"; readonly logical: boolean; readonly family: "v4" | "v6" | "all"; readonly assignment: Assignment };

/** A cluster for a port of a service, or of a subset of it (istio `core/cluster_builder.go` buildCluster, applyDestinationRule, buildSubsetCluster). */
export function outboundCluster(cluster: OutboundCluster, settings: ClusterSettings): Resource {
  const { name, scoped, port, subset } = cluster;
  const policy = effectivePolicy(scoped.rule, port.number, subset?.name, settings.connection.defaultTrafficPolicy);
  const kind = keepsDestination(cluster.hosts, policy) ? "original-destination" : cluster.hosts.kind;
  const parts = policyParts(policy, settings.connection);
  const protocol = protocolOf(cluster, policy, settings);
  const { sockets, serverName, secrets } = security(cluster, policy, { settings, kind, http2: protocol?.kind === "http2" });
  const message: ClusterMessage = {
    name,
    altStatName: `${statNameOf(cluster, settings)};`,
    ...parts.limits,
    ...(kind === "original-destination" ? NOTHING : parts.balancing),
    ...discoveryPart(cluster, kind, settings),
    ...httpPart({ protocol, common: parts.http, serverName }),
    commonLbConfig: commonLbPart(cluster, policy, settings),
    ...sockets,
    metadata: istioMetadata(metadataOf(cluster, policy)),
    ...upstreamFilters(settings),
  };
  const needs = kind === "eds" || secrets.length > 0 ? { ...NO_NEEDS, endpoints: kind === "eds" ? [name] : [], secrets } : NO_NEEDS;
  return makeResource("clusters", name, encodeCluster(message), needs, clusterSources(cluster, kind));
}

/** What a policy says of a cluster by itself: made once for all ports and subsets that it is in force for, most of which have none at all. */
const policyParts = memoize((policy: EffectivePolicy, settings: ConnectionSettings) => ({
  limits: { ...connectionPart(policy.connectionPool, policy.retryBudget, settings), ...outlierPart(policy.outlierDetection) },
  balancing: lbPart(policy.loadBalancer),
  http: commonHttp(policy.connectionPool),
}));

/** The filters of connections to a cluster's hosts. */
export function upstreamFilters({ outbound }: ClusterSettings): ClusterMessage {
  return outbound.istioFilters ? EXCHANGING : NOTHING;
}

const EXCHANGING: ClusterMessage = { filters: [METADATA_EXCHANGE] };

/** Does a balancer, or the service itself, leave no choice of hosts? */
export function keepsDestination(hosts: Hosts, policy: EffectivePolicy): boolean {
  return hosts.kind === "original-destination" || policy.loadBalancer?.simple === "PASSTHROUGH";
}

/** Where a service of names became one without choice, what is said of resolving names stays. */
function discoveryPart({ name, hosts, port, scoped }: OutboundCluster, kind: Hosts["kind"], { outbound }: ClusterSettings): ClusterMessage {
  if (kind === "eds") return endpointDiscovery(name);
  if (hosts.kind === "original-destination") return originalDestination(scoped.service.targetPortOverrides?.[port.number]);
  if (hosts.kind === "eds") return originalDestination();
  const { family, logical, assignment } = hosts;
  const refreshRate = outbound.dnsRefreshRate;
  return kind === "names"
    ? nameResolution({ logical, family, refreshRate, assignment })
    : { ...dnsSettings({ family, refreshRate }), ...originalDestination() };
}

function statNameOf({ name, scoped, port, subset }: OutboundCluster, { outbound }: ClusterSettings): string {
  if (outbound.statName === "") return name;
  const { service } = scoped;
  return statName(outbound.statName, {
    host: service.host,
    service,
    subset: subset?.name ?? "",
    port: port.number,
    portName: port.name,
    targetPort: 0,
  });
}

function protocolOf({ port }: OutboundCluster, { connectionPool: pool }: EffectivePolicy, { connection, outbound }: ClusterSettings) {
  const declared = declaredProtocol(port.protocol, { detects: outbound.node === "sidecar", preserveCase: connection.preserveHeaderCase });
  return pooledProtocol(upgradedProtocol(declared, port.protocol, pool?.http, outbound.upgradesHttp2), pool);
}

/** Options need a protocol: HTTP/1, if nothing chose another. */
export function httpPart({ protocol, common, serverName }: { [K in keyof UpstreamHttpFields]-?: UpstreamHttpFields[K] | undefined }): ClusterMessage {
  if (protocol === undefined && common === undefined && serverName === undefined) return NOTHING;
  const fields = {
    protocol: protocol ?? ({ kind: "http1", preserveCase: false } as const),
    ...(common && { common }),
    ...(serverName && { serverName }),
  };
  return { typedExtensionProtocolOptions: upstreamHttp(fields) };
}

const NOTHING: ClusterMessage = {};

interface SecurityContext {
  readonly settings: ClusterSettings;
  readonly kind: Hosts["kind"];
  readonly http2: boolean;
}

function security({ name, scoped, port, subset, serverName }: OutboundCluster, policy: EffectivePolicy, { settings, kind, http2 }: SecurityContext) {
  if (serverName === undefined) return { sockets: NOTHING, serverName: undefined, secrets: [] };
  const identities = acceptedIdentities(scoped.derived.identities, settings.outbound);
  const query = { scoped, port, identities, serverName, ...(subset && { subset }), ...(policy.tls && { wanted: policy.tls }) };
  const choice = chooseTls(query, settings.outbound);
  const selected = scoped.rule?.workloadSelector !== undefined;
  const context = { cluster: name, registry: scoped.service.registry, identities, http2, selected, dynamic: false };
  const tls = tlsParts(choice?.tls, context, settings.outbound);
  const automatic = choice?.automatic === true && choice.tls.mode === "ISTIO_MUTUAL" && kind !== "original-destination";
  return {
    sockets: socketPart({ tls, automatic, proxyProtocol: policy.proxyProtocol?.version }),
    serverName: tls.serverName,
    secrets: tls.secrets,
  };
}

/** Hosts that drain are kept for sessions in the mesh's own cluster of the whole service alone (istio `core/cluster.go` buildOutboundClusters). */
function commonLbPart(
  { scoped: { service }, subset, serverName }: OutboundCluster,
  { loadBalancer, outlierDetection }: EffectivePolicy,
  { outbound }: ClusterSettings,
) {
  const locality = localityPart(localitySetting(loadBalancer, service.trafficDistribution, outbound.locality, outlierDetection !== undefined));
  return commonLb({
    panicThreshold: panicThreshold(outlierDetection, service.trafficDistribution !== "any"),
    ...(locality && { locality }),
    keepDraining: subset === undefined && serverName !== undefined && PERSISTENT_SESSION.some((label) => service.labels[label]),
  });
}

/** Labels of services whose sessions stick to hosts on their way out. */
const PERSISTENT_SESSION = ["istio.io/persistent-session", "istio.io/persistent-session-header"];

function metadataOf({ scoped, port, subset }: OutboundCluster, policy: EffectivePolicy) {
  const { service, rule } = scoped;
  return {
    services: [serviceEntry(service)],
    ...(rule === undefined ? {} : { config: ruleEntry(rule), ...alpnEntry(policy.tls) }),
    ...(subset === undefined ? exchangeEntry(scoped, port) : { subset: subset.name }),
  };
}

/** Without a choice of hosts it counts whether all of a port speak mTLS. */
function clusterSources({ scoped, port, from = NONE }: OutboundCluster, kind: Hosts["kind"]): readonly ObjectKey[] {
  const facts = scoped.derived.ports[port.number];
  const noChoice = kind === "original-destination" || scoped.service.resolution === "passthrough";
  const speakers = noChoice ? facts?.sources : undefined;
  const own = [...from, ...(speakers ?? NONE), ...(facts?.tunnelSources ?? NONE)];
  return own.length === 0 ? sourcesOf(scoped) : [...sourcesOf(scoped), ...own];
}

const NONE: readonly ObjectKey[] = [];

/** The objects that a scoped service was made of, and those that bear out its identities. */
export const sourcesOf = memoize(({ service, ruleSources, mtlsSources, importedBy, derived }: ScopedService): readonly ObjectKey[] => {
  return [...service.sources, ...ruleSources, ...mtlsSources, ...importedBy, ...derived.sources];
});
