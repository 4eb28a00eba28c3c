import type { TrafficPolicy, TrafficPolicy_PortTrafficPolicy, TrafficPolicy_TunnelSettings } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { checkClientTls } from "./client-tls.ts";
import { checkConnectionPool } from "./connection-pool.ts";
import { errorsOnly, type Findings } from "./findings.ts";
import { checkLoadBalancer } from "./load-balancer.ts";
import { addressProblem, domainProblem } from "./names.ts";
import { portProblem } from "./numbers.ts";
import { checkOutlierDetection } from "./outlier-detection.ts";

/** How clients speak to a host, for all its ports and for single ones (istio validateTrafficPolicy). */
export function checkTrafficPolicy(policy: TrafficPolicy | undefined, path: string, namespace: string, findings: Findings): void {
  if (policy === undefined) return;
  const { tunnel, proxyProtocol, retryBudget, portLevelSettings } = policy;
  const extras = [tunnel, proxyProtocol, retryBudget].some((part) => part !== undefined);
  if (!hasSettings(policy) && !extras && portLevelSettings.length === 0) {
    findings.error(path, "a traffic policy needs at least one setting");
    return;
  }
  if (tunnel !== undefined && proxyProtocol !== undefined) {
    findings.error(path, "only one of tunnel and proxyProtocol may be set");
    return;
  }
  checkSettings(policy, path, namespace, findings);
  for (const [index, port] of portLevelSettings.entries()) checkPort(port, `${path}.portLevelSettings[${index}]`, namespace, errorsOnly(findings));
  if (tunnel !== undefined) checkTunnel(tunnel, `${path}.tunnel`, findings);
  if (proxyProtocol !== undefined && proxyProtocol.version !== 0 && proxyProtocol.version !== 1) {
    findings.error(`${path}.proxyProtocol.version`, `${proxyProtocol.version} is not a version of the PROXY protocol`);
  }
}

type Settings = Pick<TrafficPolicy, "outlierDetection" | "connectionPool" | "loadBalancer" | "tls">;

function hasSettings({ outlierDetection, connectionPool, loadBalancer, tls }: Settings): boolean {
  return [outlierDetection, connectionPool, loadBalancer, tls].some((part) => part !== undefined);
}

function checkSettings(settings: Settings, path: string, namespace: string, findings: Findings): void {
  checkOutlierDetection(settings.outlierDetection, `${path}.outlierDetection`, findings);
  checkConnectionPool(settings.connectionPool, `${path}.connectionPool`, findings);
  checkLoadBalancer(settings.loadBalancer, settings.outlierDetection !== undefined, `${path}.loadBalancer`, findings);
  checkClientTls(settings.tls, `${path}.tls`, namespace, findings);
}

function checkPort(settings: TrafficPolicy_PortTrafficPolicy, path: string, namespace: string, findings: Findings): void {
  if (settings.port === undefined) findings.error(`${path}.port`, "a port is required");
  if (!hasSettings(settings)) findings.error(path, "a port's policy needs at least one setting");
  checkSettings(settings, path, namespace, findings);
}

function checkTunnel({ protocol, targetHost, targetPort }: TrafficPolicy_TunnelSettings, path: string, findings: Findings): void {
  if (!["", "CONNECT", "POST"].includes(protocol)) findings.error(`${path}.protocol`, `must be "CONNECT" or "POST"`);
  if (addressProblem(targetHost) !== undefined) findings.error(`${path}.targetHost`, domainProblem(targetHost));
  findings.error(`${path}.targetPort`, portProblem(targetPort));
}
