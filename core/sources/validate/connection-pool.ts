import {
  type ConnectionPoolSettings,
  type ConnectionPoolSettings_HTTPSettings,
  ConnectionPoolSettings_HTTPSettings_H2UpgradePolicy,
  type ConnectionPoolSettings_TCPSettings,
} from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { Findings } from "./findings.ts";
import { durationProblem, isZeroMilliseconds, negativeProblem } from "./numbers.ts";

/** Limits and timeouts of connections (istio validateConnectionPool). */
export function checkConnectionPool(pool: ConnectionPoolSettings | undefined, path: string, findings: Findings): void {
  if (pool === undefined) return;
  if (pool.http === undefined && pool.tcp === undefined) findings.error(path, "a connection pool needs at least one setting");
  if (pool.http !== undefined) checkHttp(pool.http, `${path}.http`, findings);
  if (pool.tcp !== undefined) checkTcp(pool.tcp, `${path}.tcp`, findings);
}

const COUNTS = ["http1MaxPendingRequests", "http2MaxRequests", "maxRequestsPerConnection", "maxRetries", "maxConcurrentStreams"] as const;

function checkHttp(http: ConnectionPoolSettings_HTTPSettings, path: string, findings: Findings): void {
  for (const field of COUNTS) findings.error(`${path}.${field}`, negativeProblem(http[field]));
  findings.error(`${path}.idleTimeout`, durationProblem(http.idleTimeout));
  if (http.h2UpgradePolicy === ConnectionPoolSettings_HTTPSettings_H2UpgradePolicy.UPGRADE && http.useClientProtocol) {
    findings.error(`${path}.useClientProtocol`, "must not be true when h2UpgradePolicy is UPGRADE");
  }
  if (http.http2KeepAlive === undefined) return;
  for (const field of ["interval", "timeout"] as const) {
    const duration = http.http2KeepAlive[field];
    findings.error(`${path}.http2KeepAlive.${field}`, duration === undefined ? "required" : durationProblem(duration));
  }
}

function checkTcp(tcp: ConnectionPoolSettings_TCPSettings, path: string, findings: Findings): void {
  findings.error(`${path}.maxConnections`, negativeProblem(tcp.maxConnections));
  findings.error(`${path}.connectTimeout`, durationProblem(tcp.connectTimeout));
  findings.error(`${path}.maxConnectionDuration`, durationProblem(tcp.maxConnectionDuration));
  // 0s turns the timeout off.
  if (tcp.idleTimeout !== undefined && !isZeroMilliseconds(tcp.idleTimeout)) {
    findings.error(`${path}.idleTimeout`, durationProblem(tcp.idleTimeout));
  }
  findings.error(`${path}.tcpKeepalive.time`, durationProblem(tcp.tcpKeepalive?.time));
  findings.error(`${path}.tcpKeepalive.interval`, durationProblem(tcp.tcpKeepalive?.interval));
}
