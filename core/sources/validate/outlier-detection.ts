import type { OutlierDetection } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { Findings } from "./findings.ts";
import { durationProblem, percentProblem } from "./numbers.ts";

/** When hosts are ejected (istio validateOutlierDetection). */
export function checkOutlierDetection(outlier: OutlierDetection | undefined, path: string, findings: Findings): void {
  if (outlier === undefined) return;
  findings.error(`${path}.baseEjectionTime`, durationProblem(outlier.baseEjectionTime));
  if (outlier.consecutiveErrors !== 0) {
    findings.warning(`${path}.consecutiveErrors`, "deprecated, use consecutiveGatewayErrors or consecutive5xxErrors");
  }
  if (!outlier.splitExternalLocalOriginErrors && (outlier.consecutiveLocalOriginFailures ?? 0) > 0) {
    findings.error(`${path}.consecutiveLocalOriginFailures`, "needs splitExternalLocalOriginErrors");
  }
  findings.error(`${path}.interval`, durationProblem(outlier.interval));
  findings.error(`${path}.maxEjectionPercent`, percentProblem(outlier.maxEjectionPercent));
  findings.error(`${path}.minHealthPercent`, percentProblem(outlier.minHealthPercent));
}
