import { mutualTlsSocket } from "#core/envoy/downstream-tls.ts";
import type { TransportSocket } from "#core/envoy/filter-chain.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import { type OwnSecrets, type SecretsClient, serverSecrets } from "../../own-secrets.ts";

/** What a workload's own server side of mutual TLS is made of. */
export interface PeerTls extends OwnSecrets {
  readonly minimumTls13: boolean;
  readonly cipherSuites: readonly string[];
  /** Clients may offer to exchange metadata first. */
  readonly exchanges: boolean;
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

/** From mesh config and what the proxy has to show; undefined if that is nothing (istio `authn/utils` BuildInboundTLS, `security/model` ApplyToCommonTLSContext). */
export function peerTls(config: MeshConfig, client: SecretsClient): PeerTls | undefined {
  const own = serverSecrets(client);
  if (own === undefined) return undefined;
  const trustDomains = [config.trustDomain, ...config.trustDomainAliases, ...config.caTrustDomains].filter((domain) => domain !== "");
  return {
    ...own,
    minimumTls13: config.meshTls.minimumTls13,
    cipherSuites: config.meshTls.cipherSuites.length > 0 ? config.meshTls.cipherSuites : CIPHER_SUITES,
    exchanges: dialectFeatures(client.dialect).istioFilters,
    trustDomains: [...new Set(trustDomains)],
  };
}

const HTTP_ALPN = ["h2", "http/1.1"];

/** For HTTP chains: after TLS, the client may speak either version. */
export const httpPeerSocket = memoize((tls: PeerTls): TransportSocket => peerSocket(tls, HTTP_ALPN));

/** For TCP chains: the first protocol is the one by which proxies exchange metadata. */
export const tcpPeerSocket = memoize(
  (tls: PeerTls): TransportSocket => peerSocket(tls, tls.exchanges ? ["istio-peer-exchange", ...HTTP_ALPN] : HTTP_ALPN),
);

function peerSocket(tls: PeerTls, alpn: readonly string[]): TransportSocket {
  return mutualTlsSocket({ ...tls, alpn, clientPrefixes: tls.trustDomains.map((domain) => `spiffe://${domain}/`) });
}
