import type { DnsCacheFields } from "#core/envoy/dns-cache.ts";
import type { Duration } from "#core/lib/duration.ts";
import { interner } from "#core/lib/intern.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import type { Dialect, ProxyFeatures } from "#core/node/facts.ts";
import { anyHostDnsCache } from "../dynamic-dns.ts";
import type { AddressView } from "../service-address.ts";
import { type PeerTls, peerTls } from "./inbound/peer-tls.ts";

/** What listeners read of mesh config and of one client, beside the frame. */
export interface ListenerSettings {
  readonly addresses: AddressView;
  readonly dnsDomain: string;
  readonly interception: ProxyFeatures["interception"];
  /** May not bind ports below 1024. */
  readonly unprivileged: boolean;
  /** Ports that the proxy serves itself: nothing else may have them on all addresses. */
  readonly ownPorts: readonly number[];
  /** Where redirected connections arrive. */
  readonly virtualOutboundPort: number;
  readonly virtualInboundPort: number;
  /** 0: no HTTP proxy listener. */
  readonly httpProxyPort: number;
  readonly idleTimeout?: Duration;
  readonly inboundExactBalance: boolean;
  readonly outboundExactBalance: boolean;
  /** How long a listener waits for a client to show its protocol; 0: for ever. */
  readonly detectionTimeout: Duration;
  /** Patterns of stat names; "" for the cluster's name. */
  readonly inboundStatName: string;
  readonly outboundStatName: string;
  /** Where hosts that nobody knows are resolved, if outbound policy says so. */
  readonly anyHostDns: DnsCacheFields;
  /** Absent: the proxy has no certificate, and takes no mutual TLS. */
  readonly peerTls?: PeerTls;
  /** The proxy shares its host with others: what binds for real keeps off their ports. */
  readonly sharesHost: boolean;
  /** Ports that services forgot to name are served, as port 0. */
  readonly servesPortZero: boolean;
}

/** What listeners read of one client. */
export interface ListenerClient {
  readonly features: ProxyFeatures;
  readonly dialect: Dialect;
  readonly cluster: string;
  readonly dnsDomain: string;
}

const intern = interner<ListenerSettings>();

/** Gathers them; equal settings are one value. */
export function listenerSettings(config: MeshConfig, client: ListenerClient): ListenerSettings {
  const { features, cluster, dnsDomain, dialect } = client;
  const { idleTimeout } = features;
  const tls = peerTls(config, client);
  return intern({
    addresses: { cluster, families: features.families, usesAllocated: features.dnsCapture },
    dnsDomain,
    interception: features.interception,
    unprivileged: features.unprivileged,
    ownPorts: features.ownPorts,
    virtualOutboundPort: config.proxyListenPort,
    virtualInboundPort: config.proxyInboundListenPort,
    httpProxyPort: features.httpProxyPort ?? config.proxyHttpPort,
    ...(idleTimeout && { idleTimeout }),
    inboundExactBalance: features.inboundExactBalance,
    outboundExactBalance: features.outboundExactBalance,
    detectionTimeout: config.protocolDetectionTimeout,
    inboundStatName: config.inboundClusterStatName,
    outboundStatName: config.outboundClusterStatName,
    anyHostDns: anyHostDnsCache(features),
    ...(tls && { peerTls: tls }),
    sharesHost: dialectFeatures(dialect).sharesHost,
    servesPortZero: dialectFeatures(dialect).verbatim,
  });
}
