import type { WorkloadEntry } from "#proto/networking/v1alpha3/workload_entry_pb.js";
import type { SourceObject } from "../object.ts";
import { entryPath, type Findings } from "./findings.ts";
import { checkLabels } from "./labels.ts";
import { domainProblem, isIpAddress, portNameProblem, socketPathProblem, UNIX_PREFIX } from "./names.ts";
import { portProblem } from "./numbers.ts";

/** Istio's ValidateWorkloadEntry. */
export function checkWorkloadEntry({ spec }: SourceObject<"WorkloadEntry">, findings: Findings): void {
  checkEndpoint(spec.entry, "spec", { names: true }, findings);
}

export interface EndpointRules {
  /** The address may be a host name. */
  readonly names: boolean;
  /** Names of the ports that the ServiceEntry around it has; absent for an entry of its own. */
  readonly ports?: ReadonlySet<string>;
}

/** An endpoint: an address with ports, or a Unix domain socket (istio validateWorkloadEntry). */
export function checkEndpoint(entry: WorkloadEntry, path: string, rules: EndpointRules, findings: Findings): void {
  const { address, network, ports, labels } = entry;
  if (address === "" && network === "") {
    findings.error(`${path}.address`, "an address is required");
    return;
  }
  if (address === "") findings.warning(`${path}.address`, `not set: the endpoint can only be reached through gateways of network "${network}"`);
  const socket = address.startsWith(UNIX_PREFIX);
  if (socket) {
    findings.error(`${path}.address`, socketPathProblem(address.slice(UNIX_PREFIX.length)));
    if (Object.keys(ports).length > 0) findings.error(`${path}.ports`, "a Unix domain socket has no ports");
    if (rules.ports !== undefined && rules.ports.size !== 1) findings.error(`${path}.address`, "a Unix domain socket needs exactly one service port");
  } else if (address !== "" && !isIpAddress(address)) {
    findings.error(`${path}.address`, rules.names ? nameProblem(address) : `"${address}" is not a valid IP address`);
  }
  checkEndpointPorts(ports, path, rules.ports, findings);
  checkLabels(labels, `${path}.labels`, findings);
}

export function checkEndpointPorts(
  ports: Readonly<Record<string, number>>,
  path: string,
  known: ReadonlySet<string> | undefined,
  findings: Findings,
): void {
  for (const [name, port] of Object.entries(ports)) {
    const at = entryPath(`${path}.ports`, name);
    if (known !== undefined && !known.has(name)) findings.error(at, `the service entry has no port named "${name}"`);
    findings.error(at, portNameProblem(name));
    findings.error(at, portProblem(port));
  }
}

/** An address or a host name. */
export function nameProblem(address: string): string | undefined {
  return isIpAddress(address) || domainProblem(address) === undefined ? undefined : `"${address}" is neither a valid host name nor an IP address`;
}
