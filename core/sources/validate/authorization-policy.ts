import { AuthorizationPolicy_Action as Action, type AuthorizationPolicy, type Rule } from "#proto/security/v1beta1/authorization_policy_pb.js";
import type { SourceObject } from "../object.ts";
import { checkCondition } from "./authorization-condition.ts";
import { checkOperation, checkSource, isTcpOperation, isTcpSource } from "./authorization-match.ts";
import type { Findings } from "./findings.ts";
import { checkTargeting } from "./selector.ts";

/** Istio's ValidateAuthorizationPolicy. */
export function checkAuthorizationPolicy({ spec }: SourceObject<"AuthorizationPolicy">, findings: Findings): void {
  checkTargeting(spec, findings);
  checkAction(spec, findings);
  for (const [index, rule] of spec.rules.entries()) {
    const path = `spec.rules[${index}]`;
    if (spec.action === Action.CUSTOM) checkCustomRule(rule, path, findings);
    checkRule(rule, path, findings);
    if (spec.action === Action.DENY && deniesTcp(rule)) {
      findings.warning(path, "a DENY rule with HTTP attributes alone denies every TCP connection; name the ports that it is for");
    }
  }
}

function checkAction({ action, rules, actionDetail }: AuthorizationPolicy, findings: Findings): void {
  const provider = actionDetail.case === "provider" ? actionDetail.value : undefined;
  const idle = rules.length === 0;
  if (idle && (action === Action.CUSTOM || action === Action.DENY)) {
    findings.error("spec.rules", `${Action[action]} without rules never applies; an empty rule {} applies to everything`);
  }
  if (action === Action.CUSTOM && !idle && (provider?.name ?? "") === "") findings.error("spec.provider.name", "required for CUSTOM");
  if (action !== Action.CUSTOM && provider !== undefined) findings.error("spec.provider", "is for CUSTOM alone");
}

function checkRule(rule: Rule, path: string, findings: Findings): void {
  for (const [index, { source }] of rule.from.entries()) {
    if (source === undefined) findings.error(`${path}.from[${index}].source`, "required");
    else checkSource(source, `${path}.from[${index}].source`, findings);
  }
  for (const [index, { operation }] of rule.to.entries()) {
    if (operation === undefined) findings.error(`${path}.to[${index}].operation`, "required");
    else checkOperation(operation, `${path}.to[${index}].operation`, findings);
  }
  for (const [index, condition] of rule.when.entries()) checkCondition(condition, `${path}.when[${index}]`, findings);
}

const IDENTITY = ["namespaces", "serviceAccounts", "trustDomains", "principals", "requestPrincipals"] as const;
const NOT_IDENTITY = ["notNamespaces", "notServiceAccounts", "notTrustDomains", "notPrincipals", "notRequestPrincipals"] as const;
const IDENTITY_KEY = /^(?:source\.(?:namespace|serviceAccount|trustDomain|principal)$|request\.auth\.)/;

/** The filter that asks an external authorizer runs before identities are known. */
function checkCustomRule(rule: Rule, path: string, findings: Findings): void {
  for (const [index, { source }] of rule.from.entries()) {
    for (const field of [...IDENTITY, ...NOT_IDENTITY]) {
      if ((source?.[field].length ?? 0) > 0) findings.error(`${path}.from[${index}].source.${field}`, "is not supported with CUSTOM");
    }
  }
  for (const [index, { key }] of rule.when.entries()) {
    if (IDENTITY_KEY.test(key)) findings.error(`${path}.when[${index}].key`, `${key} is not supported with CUSTOM`);
  }
}

/** Such attributes can't be known of a TCP connection, and in a DENY rule count as fulfilled. */
function deniesTcp({ from, to }: Rule): boolean {
  const sources = from.flatMap(({ source }) => source ?? []);
  const operations = to.flatMap(({ operation }) => operation ?? []);
  if (operations.length > 0) return !operations.some(isTcpOperation);
  return sources.length > 0 && !sources.some(isTcpSource);
}
