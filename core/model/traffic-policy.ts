import type { Duration } from "#core/lib/duration.ts";

/** A DestinationRule's policy, with Istio's field names; absent means "not set", which is not the same as a zero. */
export interface TrafficPolicy {
  readonly connectionPool?: ConnectionPool;
  readonly loadBalancer?: LoadBalancer;
  readonly outlierDetection?: OutlierDetection;
  readonly tls?: ClientTls;
  readonly portLevelSettings: readonly PortTrafficPolicy[];
  readonly tunnel?: { readonly protocol: string; readonly targetHost: string; readonly targetPort: number };
  readonly proxyProtocol?: { readonly version: "V1" | "V2" };
  readonly retryBudget?: { readonly percent?: number; readonly minRetryConcurrency: number; readonly budgetInterval?: Duration };
}

export interface PortTrafficPolicy {
  readonly port: number;
  readonly connectionPool?: ConnectionPool;
  readonly loadBalancer?: LoadBalancer;
  readonly outlierDetection?: OutlierDetection;
  readonly tls?: ClientTls;
}

export interface TcpKeepalive {
  readonly probes: number;
  readonly time?: Duration;
  readonly interval?: Duration;
}

/** Numbers of 0 count as unset, as in Istio's API. */
export interface ConnectionPool {
  readonly tcp?: {
    readonly maxConnections: number;
    readonly connectTimeout?: Duration;
    readonly tcpKeepalive?: TcpKeepalive;
    readonly maxConnectionDuration?: Duration;
    readonly idleTimeout?: Duration;
  };
  readonly http?: {
    readonly http1MaxPendingRequests: number;
    readonly http2MaxRequests: number;
    readonly maxRequestsPerConnection: number;
    readonly maxRetries: number;
    readonly idleTimeout?: Duration;
    readonly h2UpgradePolicy: "DEFAULT" | "DO_NOT_UPGRADE" | "UPGRADE";
    readonly useClientProtocol: boolean;
    readonly maxConcurrentStreams: number;
    readonly http2KeepAlive?: { readonly interval?: Duration; readonly timeout?: Duration };
  };
}

export interface Warmup {
  readonly duration?: Duration;
  readonly minimumPercent?: number;
  readonly aggression?: number;
  /** Made from the deprecated `warmupDurationSecs`: only the window is written then. */
  readonly deprecated: boolean;
}

export interface LoadBalancer {
  readonly simple?: "UNSPECIFIED" | "LEAST_CONN" | "RANDOM" | "PASSTHROUGH" | "ROUND_ROBIN" | "LEAST_REQUEST";
  readonly consistentHash?: ConsistentHash;
  readonly localityLb?: LocalityLb;
  readonly zoneAware?: ZoneAware;
  readonly warmup?: Warmup;
}

export interface ConsistentHash {
  readonly key:
    | { readonly kind: "header"; readonly name: string }
    | {
        readonly kind: "cookie";
        readonly name: string;
        readonly path: string;
        readonly ttl?: Duration;
        readonly attributes: readonly { readonly name: string; readonly value: string }[];
      }
    | { readonly kind: "source-ip" }
    /** `useSourceIp: false`: the key is chosen and switched off, which routes spell out. */
    | { readonly kind: "source-ip-off" }
    | { readonly kind: "query"; readonly name: string }
    | { readonly kind: "none" };
  readonly algorithm:
    | { readonly kind: "ring-hash"; readonly minimumRingSize: number }
    | { readonly kind: "maglev"; readonly tableSize: number }
    | { readonly kind: "default" };
  /** Deprecated field beside the algorithm; 0 if absent. */
  readonly minimumRingSize: number;
}

export interface LocalityLb {
  readonly enabled?: boolean;
  readonly distribute: readonly { readonly from: string; readonly to: Readonly<Record<string, number>> }[];
  readonly failover: readonly { readonly from: string; readonly to: string }[];
  readonly failoverPriority: readonly string[];
}

export interface ZoneAware {
  readonly enabled?: boolean;
  readonly minClusterSize?: number;
  readonly failover: readonly { readonly from: string; readonly to: string }[];
  readonly failoverPriority: readonly string[];
}

export interface OutlierDetection {
  readonly consecutive5xxErrors?: number;
  readonly consecutiveGatewayErrors?: number;
  readonly splitExternalLocalOriginErrors: boolean;
  readonly consecutiveLocalOriginFailures?: number;
  readonly interval?: Duration;
  readonly baseEjectionTime?: Duration;
  readonly maxEjectionPercent: number;
  readonly minHealthPercent: number;
}

export interface ClientTls {
  readonly mode: "DISABLE" | "SIMPLE" | "MUTUAL" | "ISTIO_MUTUAL";
  readonly clientCertificate: string;
  readonly privateKey: string;
  readonly caCertificates: string;
  readonly caCrl: string;
  readonly credentialName: string;
  readonly subjectAltNames: readonly string[];
  readonly sni: string;
  readonly insecureSkipVerify?: boolean;
}
