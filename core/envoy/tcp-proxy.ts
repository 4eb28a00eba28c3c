import type { Duration } from "#core/lib/duration.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { TcpProxySchema } from "#proto/envoy/extensions/filters/network/tcp_proxy/v3/tcp_proxy_pb.js";
import type { AccessLog } from "./access-log.ts";
import { durationMessage } from "./duration.ts";
import { type NetworkFilter, networkFilter } from "./filter-chain.ts";

export type TcpTargets =
  | { readonly kind: "cluster"; readonly cluster: string }
  | { readonly kind: "weighted"; readonly clusters: readonly { readonly cluster: string; readonly weight: number }[] };

export interface TcpProxyFields {
  readonly statPrefix: string;
  readonly targets: TcpTargets;
  readonly idleTimeout?: Duration;
  readonly maxConnectionDuration?: Duration;
  /** Picks the endpoint by the client's address. */
  readonly hashSourceIp?: boolean;
  /** Wraps the connection in HTTP CONNECT (or POST) to this authority. */
  readonly tunnel?: { readonly authority: string; readonly post: boolean };
  readonly accessLogs: readonly AccessLog[];
}

/** The terminal filter of a TCP chain. */
export function tcpProxyFilter(fields: TcpProxyFields): NetworkFilter {
  const { idleTimeout, maxConnectionDuration, tunnel } = fields;
  return networkFilter(
    "envoy.filters.network.tcp_proxy",
    packed(TcpProxySchema, {
      statPrefix: fields.statPrefix,
      clusterSpecifier: clusterSpecifier(fields.targets),
      ...(idleTimeout && { idleTimeout: durationMessage(idleTimeout) }),
      ...(maxConnectionDuration && { maxDownstreamConnectionDuration: durationMessage(maxConnectionDuration) }),
      ...(fields.hashSourceIp && { hashPolicy: [{ policySpecifier: { case: "sourceIp", value: {} } }] }),
      ...(tunnel && { tunnelingConfig: { hostname: tunnel.authority, usePost: tunnel.post } }),
      accessLog: [...fields.accessLogs],
    }),
  );
}

function clusterSpecifier(targets: TcpTargets) {
  if (targets.kind === "cluster") return { case: "cluster", value: targets.cluster } as const;
  const clusters = targets.clusters.map(({ cluster, weight }) => ({ name: cluster, weight }));
  return { case: "weightedClusters", value: { clusters } } as const;
}
