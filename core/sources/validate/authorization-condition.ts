import type { Condition } from "#proto/security/v1beta1/authorization_policy_pb.js";
import { addressesProblem, emptyValueProblem, portsProblem, serviceAccountProblem, wildcardProblem } from "./authorization-values.ts";
import type { Findings } from "./findings.ts";

/** A condition compares one attribute with values. */
export function checkCondition({ key, values, notValues }: Condition, path: string, findings: Findings): void {
  if (key === "") {
    findings.error(`${path}.key`, "required");
  } else if (values.length === 0 && notValues.length === 0) {
    findings.error(path, "values or notValues are required");
  } else {
    for (const [field, list] of Object.entries({ values, notValues })) {
      findings.error(`${path}.${field}`, emptyValueProblem(list) ?? attributeProblem(key, list));
    }
  }
}

const PLAIN: ReadonlySet<string> = new Set([
  "source.namespace",
  "source.principal",
  "request.auth.principal",
  "request.auth.audiences",
  "request.auth.presenter",
  "connection.sni",
]);
const TYPED: Readonly<Record<string, (values: readonly string[]) => string | undefined>> = {
  "source.ip": addressesProblem,
  "remote.ip": addressesProblem,
  "destination.ip": addressesProblem,
  "destination.port": portsProblem,
  "source.serviceAccount": serviceAccountProblem,
  "source.trustDomain": wildcardProblem,
};
const GONE: Readonly<Record<string, string>> = {
  "destination.namespace": "metadata.namespace decides that",
  "destination.name": "no longer supported",
  "destination.user": "no longer supported",
};

/** Istio's security.ValidateAttribute. */
function attributeProblem(key: string, values: readonly string[]): string | undefined {
  if (PLAIN.has(key)) return undefined;
  if (/^(?:request\.headers|request\.auth\.claims|experimental\.envoy\.filters\.)/.test(key)) {
    return /^[^[]+\[.+\]$/s.test(key) ? undefined : `"${key}" should have the form ATTRIBUTE[NAME]`;
  }
  if (key.startsWith("destination.labels")) return `${key}: the selector decides that`;
  if (Object.hasOwn(TYPED, key)) return TYPED[key]?.(values);
  return Object.hasOwn(GONE, key) ? `${key}: ${GONE[key]}` : `there is no attribute "${key}"`;
}
