import { AuthorizationPolicy_Action as Action, type AuthorizationPolicy } from "#proto/security/v1beta1/authorization_policy_pb.js";
import type { SourceObject } from "../object.ts";
import { entryPath, type Findings } from "./findings.ts";

const DRY_RUN = "istio.io/dry-run";
/** Annotations that Istio keeps for objects it makes itself. */
const INTERNAL = ["internal.istio.io/webhook-always-reject", "internal.istio.io/parent-namespace", "internal.istio.io/parents"];

/** Istio's validateMetadata. A mistake here ends the validation of its object: then the answer is true. */
export function checkMetadata(object: SourceObject, findings: Findings): boolean {
  const internal = INTERNAL.find((name) => Object.hasOwn(object.annotations, name));
  const dryRun = dryRunProblem(object);
  findings.error(entryPath("metadata.annotations", DRY_RUN), dryRun);
  if (internal !== undefined) findings.error(entryPath("metadata.annotations", internal), "may not be set by users");
  return dryRun !== undefined || internal !== undefined;
}

function dryRunProblem({ key, annotations, spec }: SourceObject): string | undefined {
  const value = Object.hasOwn(annotations, DRY_RUN) ? annotations[DRY_RUN] : undefined;
  if (value === undefined) return undefined;
  if (key.kind !== "AuthorizationPolicy") return `is not supported on a ${key.kind}`;
  const { action } = spec as AuthorizationPolicy;
  if (action !== Action.ALLOW && action !== Action.DENY) return `is only supported for ALLOW and DENY, not for ${Action[action] ?? action}`;
  return /^(?:1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/.test(value) ? undefined : `"${value}" is neither true nor false`;
}
