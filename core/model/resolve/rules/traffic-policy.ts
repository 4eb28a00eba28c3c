import { present } from "#core/lib/present.ts";
import type { ClientTls, ConnectionPool, OutlierDetection, PortTrafficPolicy, TcpKeepalive, TrafficPolicy } from "#core/model/traffic-policy.ts";
import type {
  ClientTLSSettings,
  ConnectionPoolSettings,
  ConnectionPoolSettings_HTTPSettings,
  ConnectionPoolSettings_TCPSettings,
  ConnectionPoolSettings_TCPSettings_TcpKeepalive,
  OutlierDetection as OutlierDetectionMessage,
  TrafficPolicy_PortTrafficPolicy,
  TrafficPolicy_RetryBudget,
  TrafficPolicy as TrafficPolicyMessage,
} from "#proto/networking/v1alpha3/destination_rule_pb.js";
import {
  TrafficPolicy_ProxyProtocol_VERSION as ProxyVersion,
  ClientTLSSettings_TLSmode as TlsMode,
  ConnectionPoolSettings_HTTPSettings_H2UpgradePolicy as Upgrade,
} from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { loadBalancerOf } from "./load-balancer.ts";
import { durationOf } from "./proto-duration.ts";

/** Projects a traffic policy as its object has it: absent blocks stay absent, since they inherit, while empty ones don't. */
export function trafficPolicyOf(message: TrafficPolicyMessage | undefined): TrafficPolicy | undefined {
  if (message === undefined) return undefined;
  const { tunnel, proxyProtocol } = message;
  return present({
    ...blocksOf(message),
    portLevelSettings: message.portLevelSettings.flatMap(portPolicyOf),
    tunnel: tunnel === undefined ? undefined : { protocol: tunnel.protocol, targetHost: tunnel.targetHost, targetPort: tunnel.targetPort },
    proxyProtocol:
      proxyProtocol === undefined ? undefined : { version: proxyProtocol.version === ProxyVersion.V2 ? ("V2" as const) : ("V1" as const) },
    retryBudget: retryBudgetOf(message.retryBudget),
  });
}

/** A setting without a port fits none. */
function portPolicyOf(message: TrafficPolicy_PortTrafficPolicy): readonly PortTrafficPolicy[] {
  return message.port === undefined ? [] : [present({ port: message.port.number, ...blocksOf(message) })];
}

/** The four blocks that both levels have. */
function blocksOf(message: TrafficPolicyMessage | TrafficPolicy_PortTrafficPolicy) {
  return {
    connectionPool: connectionPoolOf(message.connectionPool),
    loadBalancer: loadBalancerOf(message.loadBalancer),
    outlierDetection: outlierDetectionOf(message.outlierDetection),
    tls: clientTlsOf(message.tls),
  };
}

function retryBudgetOf(message: TrafficPolicy_RetryBudget | undefined): TrafficPolicy["retryBudget"] {
  if (message === undefined) return undefined;
  return present({
    percent: message.percent,
    minRetryConcurrency: message.minRetryConcurrency,
    budgetInterval: durationOf(message.budgetInterval),
  });
}

/** Limits and timeouts of connections; undefined where nothing is said. */
export function connectionPoolOf(message: ConnectionPoolSettings | undefined): ConnectionPool | undefined {
  return message === undefined ? undefined : present({ tcp: tcpPoolOf(message.tcp), http: httpPoolOf(message.http) });
}

function tcpPoolOf(message: ConnectionPoolSettings_TCPSettings | undefined): ConnectionPool["tcp"] {
  if (message === undefined) return undefined;
  return present({
    maxConnections: message.maxConnections,
    connectTimeout: durationOf(message.connectTimeout),
    tcpKeepalive: keepaliveOf(message.tcpKeepalive),
    maxConnectionDuration: durationOf(message.maxConnectionDuration),
    idleTimeout: durationOf(message.idleTimeout),
  });
}

/** TCP keepalive; an empty one switches it on. */
export function keepaliveOf(message: ConnectionPoolSettings_TCPSettings_TcpKeepalive | undefined): TcpKeepalive | undefined {
  if (message === undefined) return undefined;
  return present({ probes: message.probes, time: durationOf(message.time), interval: durationOf(message.interval) });
}

const UPGRADES = { [Upgrade.DEFAULT]: "DEFAULT", [Upgrade.DO_NOT_UPGRADE]: "DO_NOT_UPGRADE", [Upgrade.UPGRADE]: "UPGRADE" } as const;

function httpPoolOf(message: ConnectionPoolSettings_HTTPSettings | undefined): ConnectionPool["http"] {
  if (message === undefined) return undefined;
  const keepalive = message.http2KeepAlive;
  return present({
    http1MaxPendingRequests: message.http1MaxPendingRequests,
    http2MaxRequests: message.http2MaxRequests,
    maxRequestsPerConnection: message.maxRequestsPerConnection,
    maxRetries: message.maxRetries,
    idleTimeout: durationOf(message.idleTimeout),
    h2UpgradePolicy: UPGRADES[message.h2UpgradePolicy] ?? "DEFAULT",
    useClientProtocol: message.useClientProtocol,
    maxConcurrentStreams: message.maxConcurrentStreams,
    http2KeepAlive:
      keepalive === undefined ? undefined : present({ interval: durationOf(keepalive.interval), timeout: durationOf(keepalive.timeout) }),
  });
}

/** When hosts are ejected; undefined where nothing is said. */
export function outlierDetectionOf(message: OutlierDetectionMessage | undefined): OutlierDetection | undefined {
  if (message === undefined) return undefined;
  return present({
    consecutive5xxErrors: message.consecutive5xxErrors,
    consecutiveGatewayErrors: message.consecutiveGatewayErrors,
    splitExternalLocalOriginErrors: message.splitExternalLocalOriginErrors,
    consecutiveLocalOriginFailures: message.consecutiveLocalOriginFailures,
    interval: durationOf(message.interval),
    baseEjectionTime: durationOf(message.baseEjectionTime),
    maxEjectionPercent: message.maxEjectionPercent,
    minHealthPercent: message.minHealthPercent,
  });
}

const TLS_MODES = {
  [TlsMode.DISABLE]: "DISABLE",
  [TlsMode.SIMPLE]: "SIMPLE",
  [TlsMode.MUTUAL]: "MUTUAL",
  [TlsMode.ISTIO_MUTUAL]: "ISTIO_MUTUAL",
} as const;

/** The TLS with which clients reach a service; undefined where nothing is said. */
export function clientTlsOf(message: ClientTLSSettings | undefined): ClientTls | undefined {
  if (message === undefined) return undefined;
  return present({
    mode: TLS_MODES[message.mode] ?? "DISABLE",
    clientCertificate: message.clientCertificate,
    privateKey: message.privateKey,
    caCertificates: message.caCertificates,
    caCrl: message.caCrl,
    credentialName: message.credentialName,
    subjectAltNames: message.subjectAltNames,
    sni: message.sni,
    insecureSkipVerify: message.insecureSkipVerify,
  });
}
