import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { bindAddress } from "#core/envoy/address.ts";
import { bindFrom, type ClusterMessage, encodeCluster, istioMetadata } from "#core/envoy/cluster.ts";
import { fixedHosts, originalDestination } from "#core/envoy/cluster-discovery.ts";
import { firstOfEach } from "#core/lib/first-of-each.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { Protocol } from "#core/model/protocol.ts";
import type { Service } from "#core/model/service.ts";
import type { ConnectionPool } from "#core/model/traffic-policy.ts";
import { inboundClusterName } from "../names.ts";
import { effectivePolicy } from "../policy/effective.ts";
import { statName } from "../stat-name.ts";
import { commonHttp, connectionPart, pooledProtocol } from "./connection-pool.ts";
import { ruleEntry, serviceEntry } from "./metadata.ts";
import { httpPart } from "./outbound-cluster.ts";
import type { ClusterSettings } from "./settings.ts";
import { declaredProtocol } from "./upstream-protocol.ts";

/** What one inbound cluster is made of. */
export interface InboundCluster {
  /** The port that names it: where the workload answers, or where a Sidecar's listener listens. */
  readonly port: number;
  /** Absent: connections go to the address that they came for. */
  readonly endpoint?: { readonly address: string; readonly port: number };
  /** The service port of the service that decides. */
  readonly servicePort: { readonly number: number; readonly name: string; readonly protocol: Protocol };
  /** Stands for the workload in names; a Sidecar's listener without a service has only a host. */
  readonly subject: { readonly host: string; readonly service?: Service };
  /** Services on the port, oldest first; empty: telemetry is told of none. */
  readonly services: readonly Service[];
  /** The rule of the service that decides. */
  readonly rule?: DestinationRule;
  /** What the Sidecar says beats the rule. */
  readonly pool?: ConnectionPool;
  readonly from: readonly ObjectKey[];
}

/** Envoy's longest duration that Go can say: hosts that are original destinations are never forgotten. */
const FOREVER = { seconds: 9_223_372_035n, nanos: 0 };

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1"]);

/** Where the proxy hands connections to its workload (istio `core/cluster_builder.go` buildInboundCluster). Of the rule only its limits count. */
export function inboundCluster(cluster: InboundCluster, settings: ClusterSettings): Resource {
  const { connection } = settings;
  const name = inboundClusterName(cluster.port);
  const policy = effectivePolicy(cluster.rule, cluster.servicePort.number, "", connection.defaultTrafficPolicy);
  const pool = cluster.pool ?? policy.connectionPool;
  const declared = declaredProtocol(cluster.servicePort.protocol, { detects: true, preserveCase: connection.preserveHeaderCase });
  const message: ClusterMessage = {
    name,
    altStatName: `${statNameOf(cluster, settings)};`,
    ...connectionPart(pool, policy.retryBudget, connection),
    ...httpPart({ protocol: pooledProtocol(declared, pool), common: commonHttp(pool), serverName: undefined }),
    ...hostsPart(cluster, name),
    commonLbConfig: {},
    ...(!settings.inbound.marksSource || LOOPBACK.has(cluster.endpoint?.address ?? "")
      ? {}
      : { upstreamBindConfig: bindFrom([connection.families === "v6" ? "::6" : "127.0.0.6"]) }),
    ...metadataPart(cluster),
  };
  return makeResource("clusters", name, encodeCluster(message), NO_NEEDS, cluster.from);
}

function statNameOf({ port, servicePort, subject }: InboundCluster, { inbound }: ClusterSettings): string {
  if (inbound.statName === "") return inboundClusterName(port);
  return statName(inbound.statName, { ...subject, subset: "", port: servicePort.number, portName: servicePort.name, targetPort: port });
}

/** A ServiceEntry that keeps the original destination may name another port for it, at its workloads as well. */
function hostsPart({ endpoint, servicePort, subject }: InboundCluster, name: string): ClusterMessage {
  if (endpoint === undefined) {
    return { ...originalDestination(subject.service?.targetPortOverrides?.[servicePort.number]), cleanupInterval: FOREVER };
  }
  const address = bindAddress(endpoint.address, endpoint.port);
  return fixedHosts({ clusterName: name, endpoints: [{ lbEndpoints: [{ hostIdentifier: { case: "endpoint", value: { address } } }] }] });
}

/** Services are named once, by the first of their host; a rule that has a policy is named beside them, if there are any. */
function metadataPart({ services, rule }: InboundCluster): ClusterMessage {
  if (services.length === 0) return {};
  const named = firstOfEach(services, ({ host }) => host).map(serviceEntry);
  return { metadata: istioMetadata({ services: named, ...(rule?.policy === undefined ? {} : { config: ruleEntry(rule) }) }) };
}

/** Each object once, in order. */
export function distinctSources(keys: readonly ObjectKey[]): readonly ObjectKey[] {
  return [...new Map(keys.map((key) => [formatObjectKey(key), key])).values()];
}
