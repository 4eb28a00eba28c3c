import { parseGoUrl } from "#core/lib/go-url.ts";
import type { JWTRule } from "#proto/security/v1beta1/request_authentication_pb.js";
import type { SourceObject } from "../object.ts";
import type { Findings } from "./findings.ts";
import { plainHeaderProblem } from "./headers.ts";
import { checkKeys } from "./jwks.ts";
import { durationProblem } from "./numbers.ts";
import { checkTargeting } from "./selector.ts";

/** Istio's ValidateRequestAuthentication. */
export function checkRequestAuthentication({ spec }: SourceObject<"RequestAuthentication">, findings: Findings): void {
  checkTargeting(spec, findings);
  for (const [index, rule] of spec.jwtRules.entries()) checkRule(rule, `spec.jwtRules[${index}]`, findings);
}

function checkRule(rule: JWTRule, path: string, findings: Findings): void {
  if (rule.issuer === "" && rule.jwksUri === "") findings.error(path, "an issuer or a jwksUri is required");
  if (rule.jwksUri !== "") findings.error(`${path}.jwksUri`, keyAddressProblem(rule.jwksUri));
  if (rule.jwks !== "") checkKeys(rule.jwks, `${path}.jwks`, findings);
  for (const list of ["audiences", "fromParams", "fromCookies"] as const) {
    for (const [index, entry] of rule[list].entries()) if (entry === "") findings.error(`${path}.${list}[${index}]`, "must not be empty");
  }
  checkTokenHeaders(rule, path, findings);
  findings.error(`${path}.timeout`, durationProblem(rule.timeout));
}

/** Where the token comes from, and what of it is passed on. */
function checkTokenHeaders({ fromHeaders, outputClaimToHeaders }: JWTRule, path: string, findings: Findings): void {
  for (const [index, { name }] of fromHeaders.entries()) {
    if (name === "") findings.error(`${path}.fromHeaders[${index}].name`, "must not be empty");
  }
  for (const [index, { claim, header }] of outputClaimToHeaders.entries()) {
    const at = `${path}.outputClaimToHeaders[${index}]`;
    if (claim === "" || header === "") findings.error(at, "both claim and header are required");
    else findings.error(`${at}.header`, plainHeaderProblem(header, true));
  }
}

/** Where keys are fetched from (istio `pkg/config/security` ParseJwksURI). */
function keyAddressProblem(address: string): string | undefined {
  const url = parseGoUrl(address, "reference");
  if (url === undefined) return `"${address}" is not a URL`;
  return url.scheme === "http" || url.scheme === "https" ? undefined : `must start with http:// or https://`;
}
