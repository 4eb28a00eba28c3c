import { mutualTlsSocket } from "#core/envoy/downstream-tls.ts";
import type { TransportSocket } from "#core/envoy/filter-chain.ts";
import { ROOT_SECRET, type SecretServer, WORKLOAD_SECRET } from "#core/envoy/sds.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyFeatures } from "#core/node/facts.ts";

/** What a workload's own server side of mutual TLS is made of. */
export interface PeerTls {
  readonly minimumTls13: boolean;
  readonly cipherSuites: readonly string[];
  /** Names of the secrets that the proxy's agent serves. */
  readonly certificate: string;
  readonly roots: string;
  readonly server: SecretServer;
  /** Domains whose workloads are let in. */
  readonly trustDomains: readonly string[];
}

/** What Istio's proxies offer as servers where mesh config names nothing else (istio `authn/utils` SupportedCiphers). */
const CIPHER_SUITES = [
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "AES256-GCM-SHA384",
  "AES128-GCM-SHA256",
];

/** From mesh config and the certificates that a proxy announces as files (istio `authn/utils` BuildInboundTLS, `security/model` ApplyToCommonTLSContext). */
export function peerTls(config: MeshConfig, features: ProxyFeatures): PeerTls {
  const { tlsServerCertChain: chain, tlsServerKey: key, tlsServerRootCert: root } = features;
  const trustDomains = [config.trustDomain, ...config.trustDomainAliases, ...config.caTrustDomains].filter((domain) => domain !== "");
  return {
    minimumTls13: config.meshTls.minimumTls13,
    cipherSuites: config.meshTls.cipherSuites.length > 0 ? config.meshTls.cipherSuites : CIPHER_SUITES,
    certificate: chain !== "" && key !== "" ? `file-cert:${chain}~${key}` : WORKLOAD_SECRET,
    roots: root === "" ? ROOT_SECRET : `file-root:${root}`,
    server: features.fileCredential ? "sds-files-grpc" : "sds-grpc",
    trustDomains: [...new Set(trustDomains)],
  };
}

/** For HTTP chains: after TLS, the client may speak either version. */
export const httpPeerSocket = memoize((tls: PeerTls): TransportSocket => peerSocket(tls, ["h2", "http/1.1"]));

/** For TCP chains: the first protocol is the one by which proxies exchange metadata. */
export const tcpPeerSocket = memoize((tls: PeerTls): TransportSocket => peerSocket(tls, ["istio-peer-exchange", "h2", "http/1.1"]));

function peerSocket(tls: PeerTls, alpn: readonly string[]): TransportSocket {
  return mutualTlsSocket({ ...tls, alpn, clientPrefixes: tls.trustDomains.map((domain) => `spiffe://${domain}/`) });
}
