import type { SourceObject } from "../object.ts";
import type { Findings } from "./findings.ts";
import { checkPolicySelector } from "./selector.ts";

/** Istio's ValidatePeerAuthentication. */
export function checkPeerAuthentication({ spec }: SourceObject<"PeerAuthentication">, findings: Findings): void {
  const { selector, portLevelMtls, noPorts } = spec;
  if (noPorts) findings.error("spec.portLevelMtls", "must have at least one port, if it is there");
  const ports = Object.keys(portLevelMtls).map(Number);
  if (ports.length > 0 && Object.keys(selector?.matchLabels ?? {}).length === 0) {
    findings.error("spec.portLevelMtls", "a policy for a whole namespace or mesh can't have settings for single ports");
  }
  for (const port of ports) {
    if (port <= 0 || port > 65535) findings.error(`spec.portLevelMtls.${port}`, "a port must be in the range 1 to 65535");
  }
  checkPolicySelector(selector, "spec.selector", findings);
}
