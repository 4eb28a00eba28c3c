import { groupBy } from "#core/lib/group.ts";
import type { ConnectionPool } from "#core/model/traffic-policy.ts";
import type { ServiceTarget, Workload } from "#core/model/workload.ts";
import { defaultEndpoint } from "./default-endpoint.ts";
import { distinctSources, type InboundCluster } from "./inbound-cluster.ts";
import type { ClusterSettings } from "./settings.ts";

/** An inbound cluster whose endpoint waits for the node's own address. */
export interface OwnAddressCluster {
  readonly cluster: Omit<InboundCluster, "endpoint">;
  readonly family: "v4" | "v6";
  readonly port: number;
}

export interface InboundAllocation {
  readonly clusters: readonly InboundCluster[];
  readonly onOwnAddress: readonly OwnAddressCluster[];
}

/**
 * Which inbound clusters exist: one for each ingress listener of the Sidecar if it has any, else one for each port that services lead to, where traffic
 * is captured at all (istio `core/cluster.go` buildInboundClusters).
 */
export function allocateInbound(workload: Workload, settings: ClusterSettings): InboundAllocation {
  if (workload.sidecar !== undefined && workload.sidecar.ingress.length > 0) return ingressClusters(workload, workload.sidecar, settings);
  if (!settings.inbound.captures) return { clusters: [], onOwnAddress: [] };
  const loopback = settings.connection.families === "v6" ? "::1" : "127.0.0.1";
  const groups = groupBy(workload.targets, (target) => target.targetPort);
  const clusters = [...groups].map(([port, targets]): InboundCluster => {
    const endpoint = settings.inbound.toLoopback ? { endpoint: { address: loopback, port } } : {};
    return { ...targetCluster(port, targets, workload), ...endpoint };
  });
  return { clusters, onOwnAddress: [] };
}

/** The first service on a port decides; all on its service port are named to telemetry. */
function targetCluster(port: number, targets: readonly ServiceTarget[], { sidecar, sources }: Workload): InboundCluster {
  const [first] = targets as readonly [ServiceTarget, ...ServiceTarget[]];
  const named = first.service.meshExternal
    ? []
    : targets.filter((target) => target.port.number === first.port.number).map((target) => target.service);
  const pool = sidecar?.inboundConnectionPool;
  return {
    port,
    servicePort: first.port,
    subject: { host: first.service.host, service: first.service },
    services: named,
    ...(first.rule && { rule: first.rule }),
    ...(pool && { pool }),
    from: distinctSources([
      ...targets.flatMap((target) => target.service.sources),
      ...first.ruleSources,
      ...sources,
      ...(pool ? (sidecar?.sources ?? []) : []),
    ]),
  };
}

type Sidecar = NonNullable<Workload["sidecar"]>;

/** Of two listeners on one port the first one stays. */
function ingressClusters(workload: Workload, sidecar: Sidecar, { connection }: ClusterSettings): InboundAllocation {
  const clusters: InboundCluster[] = [];
  const onOwnAddress: OwnAddressCluster[] = [];
  const taken = new Set<number>();
  for (const listener of sidecar.ingress) {
    const endpoint = defaultEndpoint(listener.defaultEndpoint, connection.families);
    if (endpoint.kind === "none" || taken.has(listener.port.number)) continue;
    taken.add(listener.port.number);
    const cluster = ingressCluster(workload, sidecar, listener);
    if (endpoint.kind === "own-address") onOwnAddress.push({ cluster, family: endpoint.family, port: endpoint.port });
    else clusters.push(endpoint.kind === "address" ? { ...cluster, endpoint: { address: endpoint.address, port: endpoint.port } } : cluster);
  }
  return { clusters, onOwnAddress };
}

function ingressCluster({ targets, namespace, sources }: Workload, sidecar: Sidecar, { port }: Sidecar["ingress"][number]): InboundCluster {
  const target = targets.find((candidate) => candidate.targetPort === port.number);
  const service = target?.service;
  const pool = ingressPool(sidecar, port.number);
  return {
    port: port.number,
    servicePort: port,
    subject: service === undefined ? { host: `${sidecar.name}.${namespace}` } : { host: service.host, service },
    services: service === undefined || service.meshExternal ? [] : [service],
    ...(target?.rule && { rule: target.rule }),
    ...(pool && { pool }),
    from: distinctSources([...sidecar.sources, ...(service?.sources ?? []), ...(target?.ruleSources ?? []), ...sources]),
  };
}

/** The first listener of that port with a pool, else the Sidecar's (istio InboundConnectionPoolForPort). */
function ingressPool(sidecar: Sidecar, port: number): ConnectionPool | undefined {
  return (
    sidecar.ingress.find((listener) => listener.port.number === port && listener.connectionPool !== undefined)?.connectionPool ??
    sidecar.inboundConnectionPool
  );
}
