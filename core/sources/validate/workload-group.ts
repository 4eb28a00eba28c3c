import type { ReadinessProbe } from "#proto/networking/v1alpha3/workload_group_pb.js";
import type { SourceObject } from "../object.ts";
import { collect, type Finding, type Findings } from "./findings.ts";
import { plainHeaderProblem } from "./headers.ts";
import { checkLabels } from "./labels.ts";
import { negativeProblem, portProblem } from "./numbers.ts";

/** Istio's ValidateWorkloadGroup: the template lacks what each entry fills in, so it isn't judged as one. */
export function checkWorkloadGroup({ spec }: SourceObject<"WorkloadGroup">, findings: Findings): void {
  if (spec.template === undefined) {
    findings.error("spec.template", "a template is required");
    return;
  }
  const labels: Finding[] = [];
  checkLabels(spec.metadata?.labels ?? {}, "spec.metadata.labels", collect(labels));
  for (const { field, message } of labels) findings.error(field, message);
  if (labels.length === 0 && spec.probe !== undefined) checkProbe(spec.probe, "spec.probe", findings);
}

const SECONDS = ["periodSeconds", "initialDelaySeconds", "timeoutSeconds", "successThreshold", "failureThreshold"] as const;

function checkProbe(probe: ReadinessProbe, path: string, findings: Findings): void {
  for (const field of SECONDS) findings.error(`${path}.${field}`, negativeProblem(probe[field]));
  const { case: method, value } = probe.healthCheckMethod;
  const at = `${path}.${method}`;
  switch (method) {
    case "httpGet":
      findings.error(`${at}.port`, portProblem(value.port));
      if (!["", "HTTP", "HTTPS"].includes(value.scheme)) findings.error(`${at}.scheme`, `must be "HTTP" or "HTTPS"`);
      for (const [index, { name }] of value.httpHeaders.entries())
        findings.error(`${at}.httpHeaders[${index}].name`, plainHeaderProblem(name, false));
      return;
    case "tcpSocket":
      findings.error(`${at}.port`, portProblem(value.port));
      return;
    case "exec":
      if (value.command.length === 0) findings.error(`${at}.command`, "a command is required");
      return;
    default:
      // Istio's validation does not know gRPC probes yet.
      findings.error(path, "must have one of httpGet, tcpSocket and exec");
  }
}
