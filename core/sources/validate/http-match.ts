import type { HTTPMatchRequest } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { entryPath, errorsOnly, type Findings } from "./findings.ts";
import { checkGatewayNames } from "./gateway-names.ts";
import { matchedHeaderProblem } from "./headers.ts";
import { checkLabels } from "./labels.ts";
import { isDnsLabel } from "./names.ts";
import { portProblem } from "./numbers.ts";
import { patternProblem, stringMatchProblem } from "./string-match.ts";

/** Which requests a route takes (istio validateHTTPRouteMatchRequest). */
export function checkHttpMatch(match: HTTPMatchRequest, path: string, findings: Findings): void {
  for (const [name, value] of Object.entries(match.headers)) {
    const at = entryPath(`${path}.headers`, name);
    findings.error(at, matchedHeaderProblem(name));
    findings.error(at, stringMatchProblem(value));
  }
  for (const [name, value] of Object.entries(match.withoutHeaders)) {
    const at = entryPath(`${path}.withoutHeaders`, name);
    findings.error(at, matchedHeaderProblem(name));
    // "*" is no regular expression here, it means "present".
    if (value.matchType.case !== "regex" || value.matchType.value !== "*") findings.error(at, stringMatchProblem(value));
  }
  findings.error(`${path}.uri`, patternProblem(match.uri));
  for (const part of ["scheme", "method", "authority"] as const) findings.error(`${path}.${part}`, stringMatchProblem(match[part]));
  for (const [name, value] of Object.entries(match.queryParams)) findings.error(entryPath(`${path}.queryParams`, name), stringMatchProblem(value));
  if (match.port !== 0) findings.error(`${path}.port`, portProblem(match.port));
  checkLabels(match.sourceLabels, `${path}.sourceLabels`, findings);
  checkGatewayNames(match.gateways, `${path}.gateways`, true, errorsOnly(findings));
  if (match.sourceNamespace === "" || isDnsLabel(match.sourceNamespace)) return;
  findings.error(`${path}.sourceNamespace`, `"${match.sourceNamespace}" is not the name of a namespace`);
}
