import { type ClusterMessage, circuitBreakers, type Limits, tcpKeepalive } from "#core/envoy/cluster.ts";
import { durationMessage } from "#core/envoy/duration.ts";
import type { UpstreamHttpFields, UpstreamProtocol } from "#core/envoy/upstream-http.ts";
import { present } from "#core/lib/present.ts";
import type { ConnectionPool, TcpKeepalive, TrafficPolicy } from "#core/model/traffic-policy.ts";
import type { ConnectionSettings } from "./settings.ts";

/** Connect timeout, limits and keepalive of a cluster (istio `core/cluster_traffic_policy.go` applyConnectionPool). */
export function connectionPart(pool: ConnectionPool | undefined, budget: TrafficPolicy["retryBudget"], settings: ConnectionSettings): ClusterMessage {
  const keepalive = keepaliveOf([settings.tcpKeepalive, pool?.tcp?.tcpKeepalive]);
  return {
    connectTimeout: durationMessage(pool?.tcp?.connectTimeout ?? settings.connectTimeout),
    circuitBreakers: circuitBreakers(limitsOf(pool, budget)),
    ...(keepalive && { upstreamConnectionOptions: keepalive }),
  };
}

/** Values of 0 count as absent. */
function limitsOf(pool: ConnectionPool | undefined, budget: TrafficPolicy["retryBudget"]): Limits {
  if (pool === undefined && budget === undefined) return UNLIMITED;
  return present({
    connections: pool?.tcp?.maxConnections || undefined,
    pendingRequests: pool?.http?.http1MaxPendingRequests || undefined,
    requests: pool?.http?.http2MaxRequests || undefined,
    retries: pool?.http?.maxRetries || undefined,
    retryBudget:
      budget && present({ percent: budget.percent ?? 20, minimumConcurrency: budget.minRetryConcurrency || 3, interval: budget.budgetInterval }),
  });
}

const UNLIMITED: Limits = {};

/** The mesh's keepalive, then the rule's value by value; an empty one switches keepalive on all the same. */
function keepaliveOf(layers: readonly (TcpKeepalive | undefined)[]): ClusterMessage["upstreamConnectionOptions"] {
  const given = layers.filter((layer) => layer !== undefined);
  if (given.length === 0) return undefined;
  const pick = <T>(read: (layer: TcpKeepalive) => T | undefined): T | undefined =>
    given.reduce<T | undefined>((before, layer) => read(layer) ?? before, undefined);
  return tcpKeepalive(
    present({
      probes: pick((layer) => layer.probes || undefined),
      time: pick((layer) => layer.time?.seconds),
      interval: pick((layer) => layer.interval?.seconds),
    }),
  );
}

/** HTTP settings that any protocol has; written, though empty, also where only HTTP/2 has something to say. */
export function commonHttp(pool: ConnectionPool | undefined): UpstreamHttpFields["common"] {
  if (pool === undefined) return undefined;
  const { tcp, http } = pool;
  const common = present({
    idleTimeout: http?.idleTimeout ?? tcp?.idleTimeout,
    maxRequestsPerConnection: http?.maxRequestsPerConnection || undefined,
    maxConnectionDuration: tcp?.maxConnectionDuration,
  });
  const empty = Object.keys(common).length === 0 && !http?.maxConcurrentStreams && http?.http2KeepAlive === undefined;
  return empty ? undefined : common;
}

/** The upstream protocol with what a pool says of HTTP/2 connections, where it is HTTP/2; `useClientProtocol` beats whatever was chosen. */
export function pooledProtocol(protocol: UpstreamProtocol | undefined, pool: ConnectionPool | undefined): UpstreamProtocol | undefined {
  const http = pool?.http;
  if (http === undefined) return protocol;
  if (http.useClientProtocol) return { kind: "downstream", preserveCase: protocol?.kind === "http1" && protocol.preserveCase };
  if (protocol?.kind !== "http2") return protocol;
  return { kind: "http2", ...present({ maxConcurrentStreams: http.maxConcurrentStreams || undefined, keepalive: http.http2KeepAlive }) };
}
