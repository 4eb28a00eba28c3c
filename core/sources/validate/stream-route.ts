import { isSubsetOf } from "#core/lib/hostname.ts";
import type { L4MatchAttributes, TCPRoute, TLSMatchAttributes, TLSRoute } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { checkWeights } from "./destination.ts";
import { errorsOnly, type Findings } from "./findings.ts";
import { checkGatewayNames } from "./gateway-names.ts";
import { checkLabels } from "./labels.ts";
import { gatewayDomainProblem, isIpAddress, subnetProblem, wildcardDomainProblem } from "./names.ts";
import { portProblem } from "./numbers.ts";

/** What a VirtualService says for all its routes. */
export interface RouteContext {
  readonly hosts: readonly string[];
  /** It is for gateways alone. */
  readonly gateway: boolean;
}

/** One TLS route: by server name, without looking inside. */
export function checkTlsRoute(tls: TLSRoute, path: string, context: RouteContext, findings: Findings): void {
  if (tls.match.length === 0) findings.error(`${path}.match`, "a TLS route needs a match");
  for (const [index, match] of tls.match.entries()) checkTlsMatch(match, `${path}.match[${index}]`, context, findings);
  checkDestinations(tls, path, findings);
}

/** One TCP route. */
export function checkTcpRoute(tcp: TCPRoute, path: string, findings: Findings): void {
  for (const [index, match] of tcp.match.entries()) checkStreamMatch(match, `${path}.match[${index}]`, errorsOnly(findings));
  checkDestinations(tcp, path, findings);
}

function checkDestinations({ route }: TLSRoute | TCPRoute, path: string, findings: Findings): void {
  if (route.length === 0) findings.error(`${path}.route`, "a destination is required");
  checkWeights(route, `${path}.route`, findings);
}

function checkTlsMatch(match: TLSMatchAttributes, path: string, context: RouteContext, findings: Findings): void {
  if (match.sniHosts.length === 0) findings.error(`${path}.sniHosts`, "a TLS match needs a server name");
  for (const [index, host] of match.sniHosts.entries()) checkServerName(host, `${path}.sniHosts[${index}]`, context, findings);
  checkStreamMatch(match, path, findings);
}

function checkStreamMatch(match: TLSMatchAttributes | L4MatchAttributes, path: string, findings: Findings): void {
  for (const [index, subnet] of match.destinationSubnets.entries()) findings.error(`${path}.destinationSubnets[${index}]`, subnetProblem(subnet));
  if (match.port !== 0) findings.error(`${path}.port`, portProblem(match.port));
  checkLabels(match.sourceLabels, `${path}.sourceLabels`, findings);
  checkGatewayNames(match.gateways, `${path}.gateways`, true, findings);
}

function checkServerName(name: string, path: string, context: RouteContext, findings: Findings): void {
  const problem = context.gateway ? gatewayDomainProblem(name, true) : wildcardDomainProblem(name);
  if (problem !== undefined) {
    if (isIpAddress(name)) findings.warning(path, `clients do not send addresses (${name}) as server names`);
    else findings.error(path, problem);
  } else if (!context.hosts.some((host) => isSubsetOf(name, host))) {
    findings.error(path, `"${name}" is not covered by any host of the VirtualService`);
  }
}
