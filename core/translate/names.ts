/** Names that clusters, listeners and routes share (istio `model.BuildSubsetKey`, `pilot/pkg/networking/util`). */

/** Takes what nobody knows to where it was going. */
export const PASSTHROUGH_CLUSTER = "PassthroughCluster";
/** Ends what may not go on. */
export const BLACK_HOLE_CLUSTER = "BlackHoleCluster";
/** Likewise for what reaches the workload itself. */
export const INBOUND_PASSTHROUGH_CLUSTER = "InboundPassthroughCluster";
/** Resolves any host when a request for it comes. */
export const ALLOW_ANY_DYNAMIC_DNS_CLUSTER = "AllowAnyDynamicDNSCluster";

/** The cluster of a service port; `subset` is "" for all of it. */
export function outboundClusterName(port: number, subset: string, host: string): string {
  return `outbound|${port}|${subset}|${host}`;
}

/** The cluster of a workload's own port. */
export function inboundClusterName(port: number): string {
  return `inbound|${port}||`;
}

/** The same in a form that can be a server name (SNI). */
export function outboundServerName(port: number, subset: string, host: string): string {
  return `outbound_.${port}_.${subset}_.${host}`;
}

export interface ClusterNameParts {
  readonly direction: string;
  readonly port: number;
  readonly subset: string;
  readonly host: string;
}

/** The parts of a cluster name; undefined for one that isn't made of four parts. */
export function parseClusterName(name: string): ClusterNameParts | undefined {
  const [direction = "", port = "", subset = "", host, ...rest] = name.split("|");
  return host === undefined || rest.length > 0 ? undefined : { direction, port: Number(port), subset, host };
}
