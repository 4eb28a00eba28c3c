import type { PolicyTargetReference, WorkloadSelector } from "#proto/type/v1beta1/selector_pb.js";
import { entryPath, type Findings } from "./findings.ts";

/** Which workloads a policy applies to. */
export interface Targeting {
  readonly selector?: WorkloadSelector | undefined;
  readonly targetRef?: PolicyTargetReference | undefined;
  readonly targetRefs: readonly PolicyTargetReference[];
}

/** A policy names workloads by labels or by reference, not by both. */
export function checkTargeting(spec: Targeting, findings: Findings): void {
  const ways = Number(spec.selector !== undefined) + Number(spec.targetRef !== undefined) + Number(spec.targetRefs.length > 0);
  if (ways > 1) findings.error("spec.targetRefs", "only one of selector, targetRef and targetRefs can be set");
  checkPolicySelector(spec.selector, "spec.selector", findings);
  if (spec.targetRef !== undefined) checkTargetReference(spec.targetRef, "spec.targetRef", findings);
  for (const [index, reference] of spec.targetRefs.entries()) checkTargetReference(reference, `spec.targetRefs[${index}]`, findings);
}

/** The selector of newer kinds, with `matchLabels`. */
export function checkPolicySelector(selector: WorkloadSelector | undefined, path: string, findings: Findings): void {
  if (selector === undefined) return;
  checkSelectorLabels(selector.matchLabels, `${path}.matchLabels`, findings);
  if (Object.keys(selector.matchLabels).length === 0) findings.warning(path, "a selector without labels selects everything");
}

/** The selector of older kinds, with `labels`. Errors in it end the validation of its object: then the answer is true. */
export function checkSelectorLabels(labels: Readonly<Record<string, string>>, path: string, findings: Findings): boolean {
  let wrong = false;
  for (const [key, value] of Object.entries(labels)) {
    if (key === "") findings.error(path, "a selector's key must not be empty");
    if (`${key}${value}`.includes("*")) findings.error(entryPath(path, key), `wildcards are not supported in selectors: ${key}=${value}`);
    wrong ||= key === "" || `${key}${value}`.includes("*");
  }
  return wrong;
}

const TARGETS: ReadonlySet<string> = new Set([
  "/Service",
  "core/Service",
  "networking.istio.io/ServiceEntry",
  "gateway.networking.k8s.io/Gateway",
  "gateway.networking.k8s.io/GatewayClass",
]);

function checkTargetReference(reference: PolicyTargetReference, path: string, findings: Findings): void {
  if (reference.name === "") findings.error(`${path}.name`, "a name is required");
  if (reference.namespace !== "") findings.error(`${path}.namespace`, "references to another namespace are not supported");
  if (TARGETS.has(`${reference.group}/${reference.kind}`)) return;
  findings.error(path, `must refer to a Service, ServiceEntry, Gateway or GatewayClass, not to ${reference.group}/${reference.kind}`);
}
