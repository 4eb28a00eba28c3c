import type { SourceObject } from "../object.ts";
import type { Findings } from "./findings.ts";
import { negativeProblem } from "./numbers.ts";
import { checkPolicySelector } from "./selector.ts";

/** Istio's ValidateProxyConfig. */
export function checkProxyConfig({ spec }: SourceObject<"ProxyConfig">, findings: Findings): void {
  checkPolicySelector(spec.selector, "spec.selector", findings);
  findings.error("spec.concurrency", negativeProblem(spec.concurrency ?? 0));
}
