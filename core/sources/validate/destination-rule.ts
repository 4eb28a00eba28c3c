import type { Subset } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { SourceObject } from "../object.ts";
import { subsetNameProblem } from "./destination.ts";
import { checkExportTo } from "./export-to.ts";
import { errorsOnly, type Findings } from "./findings.ts";
import { checkLabels } from "./labels.ts";
import { wildcardDomainProblem } from "./names.ts";
import { checkPolicySelector } from "./selector.ts";
import { checkTrafficPolicy } from "./traffic-policy.ts";

/** Istio's ValidateDestinationRule. */
export function checkDestinationRule({ key, spec }: SourceObject<"DestinationRule">, findings: Findings): void {
  findings.error("spec.host", wildcardDomainProblem(spec.host));
  checkTrafficPolicy(spec.trafficPolicy, "spec.trafficPolicy", key.namespace, findings);
  const names = new Set<string>();
  for (const [index, subset] of spec.subsets.entries()) {
    const path = `spec.subsets[${index}]`;
    if (names.has(subset.name)) findings.error(`${path}.name`, `there is a subset "${subset.name}" already`);
    names.add(subset.name);
    checkSubset(subset, path, key.namespace, errorsOnly(findings));
  }
  checkExportTo(spec.exportTo, { namespace: key.namespace, staysHome: spec.workloadSelector !== undefined }, findings);
  checkPolicySelector(spec.workloadSelector, "spec.workloadSelector", findings);
}

function checkSubset(subset: Subset, path: string, namespace: string, findings: Findings): void {
  findings.error(`${path}.name`, subsetNameProblem(subset.name));
  checkLabels(subset.labels, `${path}.labels`, findings);
  checkTrafficPolicy(subset.trafficPolicy, `${path}.trafficPolicy`, namespace, findings);
}
