import type { Destination } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { Findings } from "./findings.ts";
import { isDnsLabel, wildcardDomainProblem } from "./names.ts";
import { portProblem } from "./numbers.ts";

/** Where traffic goes: a host, perhaps one of its subsets and ports. */
export function checkDestination(destination: Destination | undefined, path: string, findings: Findings): void {
  if (destination === undefined) return;
  const { host, subset, port } = destination;
  findings.error(`${path}.host`, host === "*" ? "* is not a destination" : wildcardDomainProblem(host));
  if (subset !== "") findings.error(`${path}.subset`, subsetNameProblem(subset));
  if (port !== undefined) findings.error(`${path}.port.number`, portProblem(port.number));
}

/** Subset names become part of cluster names. */
export function subsetNameProblem(name: string): string | undefined {
  if (name === "") return "a subset needs a name";
  return isDnsLabel(name) ? undefined : `"${name}" is not a valid subset name`;
}

interface Weighted {
  readonly destination?: Destination | undefined;
  readonly weight: number;
}

/** Destinations that share traffic. */
export function checkWeights(routes: readonly Weighted[], path: string, findings: Findings): void {
  for (const [index, { destination, weight }] of routes.entries()) {
    const at = `${path}[${index}]`;
    if (destination === undefined) findings.error(`${at}.destination`, "a destination is required");
    checkDestination(destination, `${at}.destination`, findings);
    if (weight < 0) findings.error(`${at}.weight`, "must not be negative");
  }
  // Istio adds the weights as 32-bit numbers.
  const total = routes.reduce((sum, { weight }) => (sum + weight) | 0, 0);
  if (routes.length > 1 && total === 0) findings.error(path, "the weights add up to 0");
}
