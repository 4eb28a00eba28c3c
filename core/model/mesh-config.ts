import type { Duration } from "#core/lib/duration.ts";
import type { LabelSelector } from "#core/lib/label-selector.ts";
import type { ProxyConfig } from "./proxy-config.ts";
import type { ClientTls, ConnectionPool, LocalityLb, OutlierDetection, TcpKeepalive, ZoneAware } from "./traffic-policy.ts";
import type { HttpRetry } from "./virtual-service.ts";

export type OutboundPolicy = "ALLOW_ANY" | "REGISTRY_ONLY" | "ALLOW_ANY_DYNAMIC_DNS";

/** Istio's mesh config, defaults filled in (istio `pkg/config/mesh/mesh.go`), with what translation reads. */
export interface MeshConfig {
  readonly rootNamespace: string;
  readonly trustDomain: string;
  /** Sorted, without duplicates. */
  readonly trustDomainAliases: readonly string[];
  /** Further trust domains whose clients are let in, with the CA certificates that vouch for them. */
  readonly caTrustDomains: readonly string[];
  readonly domainSuffix: string;
  readonly connectTimeout: Duration;
  readonly tcpKeepalive?: TcpKeepalive;
  readonly dnsRefreshRate: Duration;
  readonly protocolDetectionTimeout: Duration;
  readonly proxyListenPort: number;
  readonly proxyInboundListenPort: number;
  /** 0: no explicit HTTP proxy listener. */
  readonly proxyHttpPort: number;
  readonly enableAutoMtls: boolean;
  readonly outboundTrafficPolicy: OutboundPolicy;
  /** TLS that ALLOW_ANY_DYNAMIC_DNS originates. */
  readonly outboundTls?: ClientTls;
  readonly inboundTrafficPolicy: "PASSTHROUGH" | "LOCALHOST";
  readonly localityLb?: LocalityLb;
  readonly zoneAware?: ZoneAware;
  readonly defaultServiceExportTo: readonly string[];
  readonly defaultVirtualServiceExportTo: readonly string[];
  readonly defaultDestinationRuleExportTo: readonly string[];
  readonly accessLogFile: string;
  readonly accessLogFormat: string;
  readonly accessLogEncoding: "TEXT" | "JSON";
  readonly enableEnvoyAccessLogService: boolean;
  readonly disableEnvoyListenerLog: boolean;
  readonly enableTracing: boolean;
  readonly h2UpgradePolicy: "DO_NOT_UPGRADE" | "UPGRADE";
  readonly pathNormalization: "DEFAULT" | "NONE" | "BASE" | "MERGE_SLASHES" | "DECODE_AND_MERGE_SLASHES";
  readonly defaultHttpRetryPolicy?: HttpRetry;
  readonly defaultTrafficPolicy?: { readonly connectionPool?: ConnectionPool; readonly outlierDetection?: OutlierDetection };
  readonly outboundClusterStatName: string;
  readonly inboundClusterStatName: string;
  /** Only namespaces that one of these fits are looked at; absent or empty: all are. */
  readonly discoverySelectors?: readonly LabelSelector[];
  /** Caps the `exportTo` of ServiceEntries by their namespace; absent unless `applyToSidecars` is set. */
  readonly serviceEntryVisibility?: ServiceEntryVisibility;
  readonly serviceSettings: readonly { readonly hosts: readonly string[]; readonly clusterLocal: boolean }[];
  readonly meshTls: { readonly minimumTls13: boolean; readonly cipherSuites: readonly string[]; readonly ecdhCurves: readonly string[] };
  readonly tlsDefaults: {
    readonly minimumVersion: "TLS_AUTO" | "TLSV1_2" | "TLSV1_3";
    readonly cipherSuites: readonly string[];
    readonly ecdhCurves: readonly string[];
  };
  readonly defaultConfig: ProxyConfig;
  /** Names from `defaultProviders.metrics` and so on; what they are stands in `extensionProviders`. */
  readonly defaultProviders: { readonly metrics: readonly string[]; readonly tracing: readonly string[]; readonly accessLogging: readonly string[] };
}

export type EntryVisibility = "PUBLIC" | "NAMESPACE" | "NONE";

/** The first policy whose selectors all fit the namespace decides, else the default (istio `model/serviceentry_visibility.go`). */
export interface ServiceEntryVisibility {
  readonly defaultVisibility: EntryVisibility;
  /** An undefined selector (an unknown matcher) never fits. */
  readonly policies: readonly { readonly visibility: EntryVisibility; readonly namespaceSelectors: readonly (LabelSelector | undefined)[] }[];
}
