import type { DnsCacheFields } from "#core/envoy/dns-cache.ts";
import type { SecretServer } from "#core/envoy/sds.ts";
import type { Duration } from "#core/lib/duration.ts";
import { interner } from "#core/lib/intern.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import type { ClientTls, TcpKeepalive } from "#core/model/traffic-policy.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import type { Dialect, ProxyFeatures } from "#core/node/facts.ts";
import { anyHostDnsCache } from "../dynamic-dns.ts";
import { clientSecrets, fileServer, type OwnSecrets } from "../own-secrets.ts";
import type { MeshLocality } from "../policy/locality-setting.ts";

/** What clusters read of mesh config and of one client; equal settings are one value. */
export interface ClusterSettings {
  readonly connection: ConnectionSettings;
  readonly outbound: OutboundSettings;
  readonly inbound: InboundSettings;
}

/** What every cluster reads. */
export interface ConnectionSettings {
  readonly connectTimeout: Duration;
  readonly tcpKeepalive?: TcpKeepalive;
  /** The mesh's own limits, for what no rule limits. */
  readonly defaultTrafficPolicy?: NonNullable<MeshConfig["defaultTrafficPolicy"]>;
  /** Header names of HTTP/1 keep their case. */
  readonly preserveHeaderCase: boolean;
  readonly families: ProxyFeatures["families"];
}

export interface OutboundSettings {
  readonly node: "sidecar" | "router";
  readonly autoMtls: boolean;
  /** HTTP/1 ports of services are spoken to in HTTP/2. */
  readonly upgradesHttp2: boolean;
  readonly locality: MeshLocality;
  readonly dnsRefreshRate: Duration;
  /** Pattern of stat names; "" for the cluster's name. */
  readonly statName: string;
  readonly trustDomainAliases: readonly string[];
  readonly tlsDefaults: { readonly cipherSuites: readonly string[]; readonly curves: readonly string[] };
  /** What the workload shows to others of the mesh; absent: it has nothing, and speaks no mutual TLS. */
  readonly own?: OwnSecrets;
  /** Files with a client certificate of the proxy's own, which an agent serves in place of the workload's one. */
  readonly ownCertificate?: Pick<ClientTls, "clientCertificate" | "privateKey" | "caCertificates">;
  readonly secretServer: SecretServer;
  /** An SDS server stands on a socket beside the proxy. */
  readonly credentialSocket: boolean;
  /** Istio's own filters are in the proxy. */
  readonly istioFilters: boolean;
  /** Clusters that resolve what requests name say how server names are derived even where there is no TLS: an Envoy refuses to do it in another way. */
  readonly alwaysDerivesNames: boolean;
  /** The proxy learns where connections were going: services without addresses of their own need no hosts. */
  readonly knowsDestination: boolean;
  /** How hosts that nobody knows are resolved and spoken to, where outbound policy says so. */
  readonly anyHost: { readonly dns: DnsCacheFields; readonly tls?: ClientTls };
}

export interface InboundSettings {
  /** Connections to the workload go to its loopback address, instead of the address that they came for. */
  readonly toLoopback: boolean;
  readonly captures: boolean;
  /** Connections to the workload leave from addresses that capture knows and lets through. */
  readonly marksSource: boolean;
  readonly statName: string;
}

/** What clusters read of one client. */
export interface ClusterClient {
  readonly type: "sidecar" | "router";
  readonly dialect: Dialect;
  readonly features: ProxyFeatures;
  /** In force for the node: its own, else the mesh's default. */
  readonly proxyConfig: ProxyConfig;
}

const intern = interner<ClusterSettings>();

/** Gathers them. */
export function clusterSettings(config: MeshConfig, client: ClusterClient): ClusterSettings {
  return intern({
    connection: internConnection(connectionSettings(config, client)),
    outbound: internOutbound(outboundSettings(config, client)),
    inbound: internInbound({
      toLoopback: config.inboundTrafficPolicy === "LOCALHOST",
      captures: client.features.interception !== "NONE",
      marksSource: !isUncaptured(client),
      statName: config.inboundClusterStatName,
    }),
  });
}

/** Has nothing redirected to it, and says so in a dialect where that changes more than listeners. */
function isUncaptured({ dialect, features }: ClusterClient): boolean {
  return features.interception === "NONE" && !dialectFeatures(dialect).captures;
}

const internConnection = interner<ConnectionSettings>();
const internOutbound = interner<OutboundSettings>();
const internInbound = interner<InboundSettings>();

function connectionSettings(config: MeshConfig, { features, proxyConfig }: ClusterClient): ConnectionSettings {
  const { tcpKeepalive, defaultTrafficPolicy } = config;
  return {
    connectTimeout: config.connectTimeout,
    ...(tcpKeepalive && { tcpKeepalive }),
    ...(defaultTrafficPolicy && { defaultTrafficPolicy }),
    preserveHeaderCase: proxyConfig.proxyHeaders?.preserveHttp1HeaderCase === true,
    families: features.families,
  };
}

function outboundSettings(config: MeshConfig, client: ClusterClient): OutboundSettings {
  const { type, features, dialect } = client;
  const { istioFilters, agent, verbatim } = dialectFeatures(dialect);
  const { localityLb, zoneAware, outboundTls } = config;
  const own = clientSecrets(client);
  const { tlsClientCertChain, tlsClientKey, tlsClientRootCert } = features;
  const ownCertificate = { clientCertificate: tlsClientCertChain, privateKey: tlsClientKey, caCertificates: tlsClientRootCert };
  return {
    node: type,
    autoMtls: config.enableAutoMtls,
    upgradesHttp2: config.h2UpgradePolicy === "UPGRADE",
    locality: { ...(localityLb && { localityLb }), ...(zoneAware && { zoneAware }) },
    dnsRefreshRate: config.dnsRefreshRate,
    statName: config.outboundClusterStatName,
    trustDomainAliases: config.trustDomainAliases,
    tlsDefaults: { cipherSuites: config.tlsDefaults.cipherSuites, curves: config.tlsDefaults.ecdhCurves },
    ...(own && { own }),
    ...(tlsClientCertChain === "" || !agent ? {} : { ownCertificate }),
    secretServer: fileServer(client),
    credentialSocket: features.rawCredential,
    istioFilters,
    alwaysDerivesNames: !verbatim,
    knowsDestination: type === "sidecar" && !isUncaptured(client),
    anyHost: { dns: anyHostDnsCache(features), ...(outboundTls && { tls: outboundTls }) },
  };
}
