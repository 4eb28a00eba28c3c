import { ServerTLSSettings_TLSmode as Mode, type Port, type Server } from "#proto/networking/v1alpha3/gateway_pb.js";
import type { SourceObject } from "../object.ts";
import type { Findings } from "./findings.ts";
import { addressProblem, isDnsLabel, isIpAddress, partialWildcardProblem, socketPathProblem, UNIX_PREFIX, wildcardDomainProblem } from "./names.ts";
import { portProblem } from "./numbers.ts";
import { isHttp, isKnownProtocol, isTls } from "./protocol.ts";
import { checkServerTls } from "./server-tls.ts";

/** Istio's ValidateGateway. */
export function checkGateway({ key, spec: { servers } }: SourceObject<"Gateway">, findings: Findings): void {
  if (!isDnsLabel(key.name)) findings.error("metadata.name", `"${key.name}" is not a valid name for a Gateway (no dots)`);
  if (servers.length === 0) findings.error("spec.servers", "at least one server is required");
  const names = new Set<string>();
  for (const [index, server] of servers.entries()) {
    const path = `spec.servers[${index}]`;
    checkServer(server, path, findings);
    if (server.port === undefined) continue;
    if (names.has(server.port.name)) findings.error(`${path}.port.name`, `there is a port "${server.port.name}" already`);
    names.add(server.port.name);
    if (server.tls?.httpsRedirect === true && !isHttp(server.port.protocol))
      findings.warning(`${path}.tls.httpsRedirect`, "is for HTTP servers alone");
  }
}

function checkServer(server: Server, path: string, findings: Findings): void {
  const { port, bind, hosts, tls } = server;
  if (hosts.length === 0) findings.error(`${path}.hosts`, "at least one host is required");
  for (const [index, host] of hosts.entries()) checkHost(host, `${path}.hosts[${index}]`, findings);
  const portFine = checkPort(port, bind, `${path}.port`, findings);
  checkBind(port, bind, path, findings);
  checkServerTls(tls, `${path}.tls`, findings);
  if (!portFine || port === undefined) return;
  if (isTls(port.protocol) && tls === undefined) {
    findings.error(`${path}.tls`, "an HTTPS or TLS server needs TLS settings");
  } else if (!isTls(port.protocol) && tls !== undefined && !isRedirectAlone(server, port)) {
    findings.error(`${path}.tls`, `a server for ${port.protocol} can't have TLS settings`);
  }
}

/** A plain HTTP server may have TLS settings that do no more than redirect. */
function isRedirectAlone({ tls }: Server, port: Port): boolean {
  const passThrough = tls?.mode === Mode.PASSTHROUGH || tls?.mode === Mode.AUTO_PASSTHROUGH;
  return isHttp(port.protocol) && passThrough && tls.caCertificates === "" && tls.privateKey === "" && tls.serverCertificate === "";
}

/** True if there is nothing wrong with the port. */
function checkPort(port: Port | undefined, bind: string, path: string, findings: Findings): boolean {
  if (port === undefined) {
    findings.error(path, "a port is required");
    return false;
  }
  const problems = {
    protocol: isKnownProtocol(port.protocol) ? undefined : `"${port.protocol}" is not a protocol that Istio knows`,
    number: port.number > 0 || !bind.startsWith(UNIX_PREFIX) ? portProblem(port.number) : undefined,
    targetPort: port.targetPort > 0 ? "has no effect on Gateways" : undefined,
    name: port.name === "" ? "a port needs a name" : undefined,
  };
  for (const [field, problem] of Object.entries(problems)) findings.error(`${path}.${field}`, problem);
  return Object.values(problems).every((problem) => problem === undefined);
}

function checkBind(port: Port | undefined, bind: string, path: string, findings: Findings): void {
  if (bind.startsWith(UNIX_PREFIX)) {
    findings.error(`${path}.bind`, socketPathProblem(bind.slice(UNIX_PREFIX.length)));
    if (port !== undefined && port.number !== 0) findings.error(`${path}.port.number`, "must be 0 for a Unix domain socket");
  } else if (bind !== "") {
    findings.error(`${path}.bind`, addressProblem(bind));
  }
}

/** A host that a gateway serves, with the namespace of its VirtualServices or without. */
function checkHost(host: string, path: string, findings: Findings): void {
  const slash = host.indexOf("/");
  const name = host.slice(slash + 1);
  if (slash >= 0) {
    const namespace = host.slice(0, slash);
    if (namespace === "" || name === "") findings.error(path, "namespace and host must not be empty");
    if (namespace !== "*" && namespace !== "." && !isDnsLabel(namespace)) findings.error(path, `"${namespace}" is not a namespace`);
  }
  if (name !== "*" && !name.includes(".")) findings.error(path, `"${name}" is not a name in full`);
  if (!isIpAddress(name)) findings.error(path, wildcardDomainProblem(name));
  findings.error(path, partialWildcardProblem(name));
}
