import { hostsMatch } from "#core/lib/hostname.ts";
import type { VirtualService } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { SourceObject } from "../object.ts";
import { checkExportTo } from "./export-to.ts";
import { entryPath, type Findings } from "./findings.ts";
import { checkGatewayNames } from "./gateway-names.ts";
import { isClaim } from "./headers.ts";
import { checkHttpRoute } from "./http-route.ts";
import { gatewayDomainProblem, isIpAddress, wildcardDomainProblem } from "./names.ts";
import { checkTcpRoute, checkTlsRoute } from "./stream-route.ts";
import { checkReachability } from "./unreachable.ts";

/** Istio's ValidateVirtualService. */
export function checkVirtualService({ key, spec }: SourceObject<"VirtualService">, findings: Findings): void {
  const isDelegate = spec.hosts.length === 0;
  if (isDelegate) checkDelegate(spec, findings);
  checkGatewayNames(spec.gateways, "spec.gateways", true, findings);
  const gateway = spec.gateways.length > 0 && !spec.gateways.includes("mesh");
  if (!gateway) checkClaims(spec, findings);
  checkHosts(spec, gateway, findings);
  if (spec.http.length + spec.tcp.length + spec.tls.length === 0) findings.error("spec", "http, tcp or tls routes are required");
  for (const [index, http] of spec.http.entries()) checkHttpRoute(http, `spec.http[${index}]`, isDelegate, findings);
  // Without any gateway Istio judges server names as it does for gateways.
  const context = { hosts: spec.hosts, gateway: !spec.gateways.includes("mesh") };
  for (const [index, tls] of spec.tls.entries()) checkTlsRoute(tls, `spec.tls[${index}]`, context, findings);
  for (const [index, tcp] of spec.tcp.entries()) checkTcpRoute(tcp, `spec.tcp[${index}]`, findings);
  checkExportTo(spec.exportTo, { namespace: key.namespace }, findings);
  checkReachability(spec, findings);
}

/** Without hosts it can only be a delegate, which has HTTP routes alone. */
function checkDelegate(spec: VirtualService, findings: Findings): void {
  for (const part of ["gateways", "tls", "tcp"] as const) {
    if (spec[part].length > 0) findings.error(`spec.${part}`, `a VirtualService without hosts is a delegate, which can't have ${part}`);
  }
}

/** Only gateways route by the claims of a token. */
function checkClaims(spec: VirtualService, findings: Findings): void {
  for (const [route, { match }] of spec.http.entries()) {
    for (const [place, { headers, withoutHeaders }] of match.entries()) {
      for (const [part, names] of Object.entries({ headers, withoutHeaders })) {
        const claims = Object.keys(names).filter(isClaim);
        const path = `spec.http[${route}].match[${place}].${part}`;
        for (const claim of claims) findings.error(entryPath(path, claim), "only gateways can route by claims of a token");
      }
    }
  }
}

function checkHosts(spec: VirtualService, gateway: boolean, findings: Findings): void {
  const byServerName = spec.tls.some(({ match }) => match.some(({ sniHosts }) => sniHosts.length > 0));
  const problems = spec.hosts.map((host) => {
    if (host === "*" && !gateway) return "* is only for gateways";
    const problem = gateway ? gatewayDomainProblem(host, byServerName) : wildcardDomainProblem(host);
    return isIpAddress(host) ? undefined : problem;
  });
  for (const [index, problem] of problems.entries()) findings.error(`spec.hosts[${index}]`, problem);
  if (problems.every((problem) => problem === undefined)) checkOverlaps(spec.hosts, findings);
}

/** Hosts of one VirtualService must not cover each other. */
function checkOverlaps(hosts: readonly string[], findings: Findings): void {
  for (const [index, host] of hosts.entries()) {
    for (const [place, other] of hosts.entries()) {
      if (place > index && hostsMatch(host, other)) findings.error(`spec.hosts[${place}]`, `"${other}" overlaps with "${host}"`);
    }
  }
}
