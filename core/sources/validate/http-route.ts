import type { HTTPMirrorPolicy, HTTPRoute } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { checkDestination, checkWeights } from "./destination.ts";
import type { Findings } from "./findings.ts";
import { checkHeaders } from "./headers.ts";
import { checkCors } from "./http-cors.ts";
import { checkFaults } from "./http-faults.ts";
import { checkHttpMatch } from "./http-match.ts";
import { checkDirectResponse, checkRedirect } from "./http-redirect.ts";
import { checkRetry } from "./http-retry.ts";
import { checkAuthority, checkRewrite } from "./http-rewrite.ts";
import { durationProblem } from "./numbers.ts";

/** One HTTP route of a VirtualService; `isDelegate` where the VirtualService has no hosts (istio `virtualservice.go` validateHTTPRoute). */
export function checkHttpRoute(http: HTTPRoute, path: string, isDelegate: boolean, findings: Findings): void {
  checkActions(http, path, isDelegate, findings);
  for (const [index, match] of http.match.entries()) checkHttpMatch(match, `${path}.match[${index}]`, findings);
  checkHeaders(http.headers, `${path}.headers`, findings);
  checkCors(http.corsPolicy, `${path}.corsPolicy`, findings);
  checkFaults(http.fault, `${path}.fault`, findings);
  checkMirrors(http, path, findings);
  checkRedirect(http, `${path}.redirect`, findings);
  checkDirectResponse(http.directResponse, `${path}.directResponse`, findings);
  checkRetry(http.retries, `${path}.retries`, findings);
  checkRewrite(http.rewrite, `${path}.rewrite`, findings);
  checkAuthority(http.rewrite, http.headers, path, findings);
  for (const [index, { headers }] of http.route.entries()) checkHeaders(headers, `${path}.route[${index}].headers`, findings);
  checkWeights(http.route, `${path}.route`, findings);
  findings.error(`${path}.timeout`, durationProblem(http.timeout));
}

/** A route does one thing: it goes somewhere, redirects, answers, or leaves that to a delegate (istio validateHTTPRouteConflict). */
function checkActions(http: HTTPRoute, path: string, isDelegate: boolean, findings: Findings): void {
  if (http.delegate !== undefined && !isDelegate) {
    checkTogether(http, { action: "delegate", others: ["redirect", "route"] }, path, findings);
    return;
  }
  if (http.delegate !== undefined) findings.error(`${path}.delegate`, "a delegate can't have a delegate");
  if (http.redirect !== undefined)
    checkTogether(http, { action: "redirect", others: ["route", "fault", "rewrite", "directResponse"] }, path, findings);
  else if (http.directResponse !== undefined)
    checkTogether(http, { action: "directResponse", others: ["route", "fault", "rewrite"] }, path, findings);
  else if (http.route.length === 0) findings.error(path, "a route, redirect or directResponse is required");
  if (http.mirror !== undefined && http.mirrors.length > 0) findings.error(`${path}.mirrors`, "only one of mirror and mirrors may be set");
}

type Action = "delegate" | "redirect" | "route" | "directResponse" | "fault" | "rewrite";

/** What an action leaves no place for. */
interface Exclusion {
  readonly action: Action;
  readonly others: readonly Action[];
}

function checkTogether(http: HTTPRoute, { action, others }: Exclusion, path: string, findings: Findings): void {
  for (const other of others) {
    const there = other === "route" ? http.route.length > 0 : http[other] !== undefined;
    if (there) findings.error(`${path}.${other}`, `can't be combined with ${action}`);
  }
}

function checkMirrors(http: HTTPRoute, path: string, findings: Findings): void {
  if (http.mirrorPercent !== undefined) {
    if (http.mirrorPercent > 100) findings.error(`${path}.mirrorPercent`, "must be at most 100");
    findings.warning(`${path}.mirrorPercent`, "mirrorPercent is deprecated, use mirrorPercentage");
  }
  checkMirrorShare(http.mirrorPercentage, `${path}.mirrorPercentage`, findings);
  checkDestination(http.mirror, `${path}.mirror`, findings);
  for (const [index, mirror] of http.mirrors.entries()) checkMirror(mirror, `${path}.mirrors[${index}]`, findings);
}

function checkMirror({ destination, percentage }: HTTPMirrorPolicy, path: string, findings: Findings): void {
  if (destination === undefined) {
    findings.error(`${path}.destination`, "a destination is required");
    return;
  }
  checkDestination(destination, `${path}.destination`, findings);
  checkMirrorShare(percentage, `${path}.percentage`, findings);
}

function checkMirrorShare(percentage: { readonly value: number } | undefined, path: string, findings: Findings): void {
  if (percentage !== undefined && (percentage.value > 100 || percentage.value < 0)) findings.error(path, "must be between 0 and 100");
}
