import { ServerTLSSettings_TLSmode as Mode, type ServerTLSSettings } from "#proto/networking/v1alpha3/gateway_pb.js";
import {
  CaptureMode,
  type IstioEgressListener,
  type IstioIngressListener,
  type OutboundTrafficPolicy,
  OutboundTrafficPolicy_Mode,
  type SidecarPort,
} from "#proto/networking/v1alpha3/sidecar_pb.js";
import type { SourceObject } from "../object.ts";
import { checkConnectionPool } from "./connection-pool.ts";
import { checkDestination } from "./destination.ts";
import { checkEgressHosts } from "./egress-hosts.ts";
import type { Findings } from "./findings.ts";
import { addressProblem, domainProblem, portNameProblem, socketPathProblem, UNIX_PREFIX } from "./names.ts";
import { portProblem } from "./numbers.ts";
import { isHttp, isTls, protocolProblem } from "./protocol.ts";
import { checkSelectorLabels } from "./selector.ts";
import { checkServerTls } from "./server-tls.ts";

/** Istio's ValidateSidecar. */
export function checkSidecar({ key, spec }: SourceObject<"Sidecar">, findings: Findings): void {
  const { workloadSelector: selector, ingress, egress, outboundTrafficPolicy, inboundConnectionPool } = spec;
  if (checkSelectorLabels(selector?.labels ?? {}, "spec.workloadSelector.labels", findings)) return;
  if (egress.length === 0 && ingress.length === 0 && outboundTrafficPolicy === undefined && inboundConnectionPool === undefined) {
    findings.error("spec", "the Sidecar says nothing");
    return;
  }
  if (selector !== undefined && Object.keys(selector.labels).length === 0) {
    findings.warning("spec.workloadSelector", "a selector without labels selects every workload of the namespace");
  }
  const taken = new Set<number>();
  for (const [index, listener] of ingress.entries()) checkIngress(listener, `spec.ingress[${index}]`, taken, findings);
  checkConnectionPool(inboundConnectionPool, "spec.inboundConnectionPool", findings);
  checkEgress(egress, key.namespace, findings);
  if (outboundTrafficPolicy !== undefined) checkOutboundPolicy(outboundTrafficPolicy, "spec.outboundTrafficPolicy", findings);
}

function checkIngress(listener: IstioIngressListener, path: string, taken: Set<number>, findings: Findings): void {
  const { port, bind, defaultEndpoint, tls, connectionPool } = listener;
  if (port === undefined) {
    findings.error(`${path}.port`, "a port is required");
    return;
  }
  if (port.targetPort > 0) findings.error(`${path}.port.targetPort`, "has no effect on Sidecars");
  checkPort(port, `${path}.port`, findings);
  findings.error(`${path}.port.number`, portProblem(port.number));
  if (bind !== "") findings.error(`${path}.bind`, addressProblem(bind));
  if (takes(taken, port.number)) findings.error(`${path}.port.number`, `there is a listener on port ${port.number} already`);
  if (defaultEndpoint !== "") findings.error(`${path}.defaultEndpoint`, defaultEndpointProblem(defaultEndpoint));
  if (tls !== undefined) checkIngressTls(tls, port, `${path}.tls`, findings);
  checkConnectionPool(connectionPool, `${path}.connectionPool`, findings);
  if (connectionPool?.http !== undefined && !isHttp(port.protocol))
    findings.warning(`${path}.connectionPool.http`, "has no use: the port is not HTTP");
}

function checkPort(port: SidecarPort, path: string, findings: Findings): void {
  if (port.name !== "") findings.error(`${path}.name`, portNameProblem(port.name));
  findings.error(`${path}.protocol`, protocolProblem(port.protocol));
}

/** A Unix domain socket, or a port on the pod itself: `127.0.0.1:80`, `[::1]:80`, `0.0.0.0:80`, `[::]:80`, `:80`. */
function defaultEndpointProblem(endpoint: string): string | undefined {
  if (endpoint.startsWith(UNIX_PREFIX)) return socketPathProblem(endpoint.slice(UNIX_PREFIX.length));
  const match = /^(?:127\.0\.0\.1|0\.0\.0\.0|\[::1\]|\[::\]|\[127\.0\.0\.1\]|\[0\.0\.0\.0\]|(?:\[\])?):([+-]?\d+)$/.exec(endpoint);
  return match === null ? "must be a port on the pod itself, such as 127.0.0.1:80, or unix:///path" : portProblem(Number(match[1]));
}

function checkIngressTls(tls: ServerTLSSettings, port: SidecarPort, path: string, findings: Findings): void {
  for (const field of ["subjectAltNames", "credentialName", "credentialNames", "tlsCertificates"] as const) {
    if (tls[field].length > 0) findings.error(`${path}.${field}`, "is not supported in a Sidecar");
  }
  if (tls.httpsRedirect) findings.error(`${path}.httpsRedirect`, "is not supported in a Sidecar");
  if (tls.mode === Mode.ISTIO_MUTUAL || tls.mode === Mode.AUTO_PASSTHROUGH) findings.error(`${path}.mode`, `can't be ${Mode[tls.mode]} in a Sidecar`);
  if (!isTls(port.protocol)) findings.error(path, "only HTTPS and TLS ports can have TLS settings");
  checkServerTls(tls, path, findings);
}

function checkEgress(listeners: readonly IstioEgressListener[], namespace: string, findings: Findings): void {
  const ports = new Set<number>();
  const sockets = new Set<string>();
  for (const [index, listener] of listeners.entries()) {
    const path = `spec.egress[${index}]`;
    const { port, bind, hosts } = listener;
    if (port === undefined) {
      if (index < listeners.length - 1) findings.error(path, "a listener without a port must be the last one");
    } else {
      checkEgressPort(listener, port, path, findings);
      const [taken, at] = port.number === 0 ? [takes(sockets, bind), `${path}.bind`] : [takes(ports, port.number), `${path}.port.number`];
      if (taken) findings.error(at, "there is such a listener already");
    }
    checkEgressHosts(hosts, `${path}.hosts`, namespace, findings);
  }
}

/** Adds a value; true if it was there already. */
function takes<T>(taken: Set<T>, value: T): boolean {
  const before = taken.size;
  return taken.add(value).size === before;
}

function checkEgressPort({ bind, captureMode }: IstioEgressListener, port: SidecarPort, path: string, findings: Findings): void {
  if (port.targetPort > 0) findings.error(`${path}.port.targetPort`, "has no effect on Sidecars");
  checkPort(port, `${path}.port`, findings);
  if (port.number !== 0) {
    findings.error(`${path}.port.number`, portProblem(port.number));
    if (bind !== "") findings.error(`${path}.bind`, addressProblem(bind));
    return;
  }
  const socket = bind.startsWith(UNIX_PREFIX);
  findings.error(
    `${path}.bind`,
    socket ? socketPathProblem(bind.slice(UNIX_PREFIX.length)) : "without a port number it must be a Unix domain socket",
  );
  if (captureMode !== CaptureMode.DEFAULT && captureMode !== CaptureMode.NONE) {
    findings.error(`${path}.captureMode`, "must be DEFAULT or NONE for a Unix domain socket");
  }
}

/** The number of mesh config's ALLOW_ANY_DYNAMIC_DNS, which a Sidecar's enum has no name for. */
const ALLOW_ANY_DYNAMIC_DNS = 3;

function checkOutboundPolicy({ mode, egressProxy }: OutboundTrafficPolicy, path: string, findings: Findings): void {
  if ((mode as number) === ALLOW_ANY_DYNAMIC_DNS) {
    findings.error(`${path}.mode`, "ALLOW_ANY_DYNAMIC_DNS is for mesh config alone");
  } else if (egressProxy !== undefined && mode !== OutboundTrafficPolicy_Mode.ALLOW_ANY) {
    findings.error(`${path}.egressProxy`, "needs mode ALLOW_ANY");
  } else if (egressProxy !== undefined) {
    findings.error(`${path}.egressProxy.host`, domainProblem(egressProxy.host));
    if (egressProxy.port === undefined) findings.error(`${path}.egressProxy.port`, "a port is required");
    else checkDestination(egressProxy, `${path}.egressProxy`, findings);
  }
}
