import { isWildcard } from "#core/lib/hostname.ts";
import {
  ServiceEntry_Location as Location,
  ServiceEntry_Resolution as Resolution,
  type ServiceEntry,
} from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { SourceObject } from "../object.ts";
import { checkExportTo } from "./export-to.ts";
import type { Findings } from "./findings.ts";
import { checkLabels } from "./labels.ts";
import { domainProblem, partialWildcardProblem, portNameProblem, subnetProblem, wildcardDomainProblem } from "./names.ts";
import { portProblem } from "./numbers.ts";
import { isHttp, isTcp, isTls, protocolProblem } from "./protocol.ts";
import { checkSelectorLabels } from "./selector.ts";
import { checkEndpoint, checkEndpointPorts, nameProblem } from "./workload-entry.ts";

/** Istio's ValidateServiceEntry. */
export function checkServiceEntry({ key, labels, spec: { entry } }: SourceObject<"ServiceEntry">, findings: Findings): void {
  const { workloadSelector: selector, endpoints, hosts, ports, resolution } = entry;
  if (checkSelectorLabels(selector?.labels ?? {}, "spec.workloadSelector.labels", findings)) return;
  if (selector !== undefined && Object.keys(selector.labels).length === 0) {
    findings.warning("spec.workloadSelector", "a selector without labels selects every workload of the namespace");
  }
  if (selector !== undefined && endpoints.length > 0) findings.error("spec.endpoints", "only one of workloadSelector and endpoints may be set");
  checkHosts(entry, findings);
  checkAddresses(entry, findings);
  checkPorts(entry, allocatesAddresses(entry, labels), findings);
  checkResolution(entry, labels, findings);
  // Behind plain TCP there is no telling which host is meant.
  const opaque = ports.findIndex(({ protocol }) => !isHttp(protocol) && !isTls(protocol));
  if (resolution !== Resolution.NONE && hosts.length > 1 && opaque >= 0) {
    findings.error(`spec.ports[${opaque}].protocol`, "several hosts can only share HTTP and TLS ports");
  }
  checkExportTo(entry.exportTo, { namespace: key.namespace, toNobody: true }, findings);
}

/** Istio gives addresses of its own to such an entry (istio `pilot/pkg/networking/serviceentry` ShouldV2AutoAllocateIP). */
function allocatesAddresses({ resolution, addresses }: ServiceEntry, labels: Readonly<Record<string, string>>): boolean {
  const wanted = labels["networking.istio.io/enable-autoallocate-ip"]?.toLowerCase() !== "false";
  return resolution !== Resolution.NONE && wanted && addresses.length === 0;
}

function checkHosts({ hosts, resolution }: ServiceEntry, findings: Findings): void {
  if (hosts.length === 0) findings.error("spec.hosts", "at least one host is required");
  for (const [index, host] of hosts.entries()) {
    const path = `spec.hosts[${index}]`;
    findings.error(path, host === "*" ? "* is not a host of a ServiceEntry" : wildcardDomainProblem(host));
    if (host !== "*" && resolution !== Resolution.DYNAMIC_DNS) findings.warning(path, partialWildcardProblem(host));
  }
}

function checkAddresses({ addresses, resolution }: ServiceEntry, findings: Findings): void {
  for (const [index, address] of addresses.entries()) findings.error(`spec.addresses[${index}]`, subnetProblem(address));
  const range = addresses.findIndex((address) => address.includes("/"));
  if (range >= 0 && resolution !== Resolution.NONE && resolution !== Resolution.STATIC) {
    findings.error(`spec.addresses[${range}]`, "address ranges are only for resolution NONE and STATIC");
  }
}

function checkPorts({ ports, addresses }: ServiceEntry, allocates: boolean, findings: Findings): void {
  const names = new Set<string>();
  const numbers = new Set<number>();
  for (const [index, { name, number, targetPort, protocol }] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    if (names.has(name)) findings.error(`${path}.name`, `there is a port "${name}" already`);
    if (numbers.has(number)) findings.error(`${path}.number`, `there is a port ${number} already`);
    names.add(name);
    numbers.add(number);
    if (targetPort !== 0) findings.error(`${path}.targetPort`, portProblem(targetPort));
    if (addresses.length === 0 && !allocates && (protocol === "" || protocol === "TCP")) {
      findings.warning("spec.addresses", `port ${number} serves TCP, which can't be told apart without addresses`);
    }
    findings.error(`${path}.name`, portNameProblem(name));
    findings.error(`${path}.protocol`, protocolProblem(protocol));
    findings.error(`${path}.number`, portProblem(number));
  }
}

function checkResolution(entry: ServiceEntry, labels: Readonly<Record<string, string>>, findings: Findings): void {
  switch (entry.resolution) {
    case Resolution.NONE:
      if (entry.endpoints.length > 0) findings.error("spec.endpoints", "resolution NONE has no endpoints");
      if (entry.workloadSelector !== undefined) findings.warning("spec.workloadSelector", "has no use with resolution NONE");
      return;
    case Resolution.STATIC:
      checkStatic(entry, findings);
      return;
    case Resolution.DNS:
    case Resolution.DNS_ROUND_ROBIN:
      checkDns(entry, findings);
      return;
    case Resolution.DYNAMIC_DNS:
      checkDynamic(entry, labels, findings);
      return;
    default:
      findings.error("spec.resolution", `${entry.resolution} is not a resolution`);
  }
}

function portNames({ ports }: ServiceEntry): ReadonlySet<string> {
  return new Set(ports.map(({ name }) => name));
}

function checkStatic(entry: ServiceEntry, findings: Findings): void {
  const rules = { names: false, ports: portNames(entry) };
  for (const [index, endpoint] of entry.endpoints.entries()) checkEndpoint(endpoint, `spec.endpoints[${index}]`, rules, findings);
}

function checkDns(entry: ServiceEntry, findings: Findings): void {
  const { endpoints, hosts, addresses, ports, resolution } = entry;
  const unresolvable = endpoints.length === 0 ? hosts.findIndex((host) => domainProblem(host) !== undefined) : -1;
  if (unresolvable >= 0) findings.error(`spec.hosts[${unresolvable}]`, "without endpoints each host must be a name that DNS resolves");
  if (resolution === Resolution.DNS_ROUND_ROBIN && endpoints.length > 1) findings.error("spec.endpoints", "DNS_ROUND_ROBIN has at most one endpoint");
  for (const [index, endpoint] of endpoints.entries()) {
    const path = `spec.endpoints[${index}]`;
    findings.error(`${path}.address`, nameProblem(endpoint.address));
    checkLabels(endpoint.labels, `${path}.labels`, findings);
    checkEndpointPorts(endpoint.ports, path, portNames(entry), findings);
  }
  if (addresses.length > 0 && hosts.length > 1 && ports.some(({ protocol }) => isTcp(protocol))) {
    findings.warning("spec.hosts", "several hosts can't share an address and a TCP port");
  }
}

const FORWARDED: ReadonlySet<string> = new Set(["http", "tls", "grpc", "http2"]);

function checkDynamic(entry: ServiceEntry, labels: Readonly<Record<string, string>>, findings: Findings): void {
  const { hosts, addresses, endpoints, ports, location } = entry;
  if (hosts.length === 0) findings.error("spec.hosts", "DYNAMIC_DNS needs a wildcard host");
  for (const [index, host] of hosts.entries()) if (!isWildcard(host)) findings.error(`spec.hosts[${index}]`, "DYNAMIC_DNS needs wildcard hosts");
  if (addresses.length > 0) findings.error("spec.addresses", "DYNAMIC_DNS has no addresses");
  if (endpoints.length > 0) findings.error("spec.endpoints", "DYNAMIC_DNS has no endpoints");
  for (const [index, { protocol }] of ports.entries()) {
    if (!FORWARDED.has(protocol.toLowerCase())) findings.error(`spec.ports[${index}].protocol`, "DYNAMIC_DNS is for HTTP, TLS, GRPC and HTTP2 alone");
  }
  const waypoint = labels["istio.io/use-waypoint"] ?? "";
  if (location !== Location.MESH_EXTERNAL && location !== Location.MESH_INTERNAL) {
    findings.error("spec.location", "must be MESH_EXTERNAL or MESH_INTERNAL");
  } else if (location === Location.MESH_INTERNAL && waypoint !== "" && waypoint.toLowerCase() !== "none") {
    findings.error("spec.location", "DYNAMIC_DNS within the mesh does not work with waypoints");
  }
}
