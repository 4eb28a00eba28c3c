import type { CorsPolicy } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { Findings } from "./findings.ts";
import { corsHeaderProblem } from "./headers.ts";
import { durationProblem } from "./numbers.ts";
import { patternProblem } from "./string-match.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE", "*"]);

/** A route's cross-origin policy (istio validateCORSPolicy). */
export function checkCors(policy: CorsPolicy | undefined, path: string, findings: Findings): void {
  if (policy === undefined) return;
  for (const [index, origin] of policy.allowOrigins.entries()) {
    findings.error(`${path}.allowOrigins[${index}]`, origin.matchType.value ? patternProblem(origin) : "must match something");
  }
  for (const [index, method] of policy.allowMethods.entries()) {
    if (!METHODS.has(method)) findings.error(`${path}.allowMethods[${index}]`, `"${method}" is not an HTTP method`);
  }
  for (const list of ["allowHeaders", "exposeHeaders"] as const) {
    for (const [index, name] of policy[list].entries()) findings.error(`${path}.${list}[${index}]`, corsHeaderProblem(name));
  }
  findings.error(`${path}.maxAge`, durationProblem(policy.maxAge));
  if ((policy.maxAge?.nanos ?? 0) > 0) findings.error(`${path}.maxAge`, "must be whole seconds");
}
