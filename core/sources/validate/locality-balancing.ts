import type { LocalityLoadBalancerSetting, ZoneAwareLoadBalancerSetting } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { entryPath, type Findings } from "./findings.ts";
import { overlapProblem } from "./localities.ts";

const TOPOLOGY_LABELS: ReadonlySet<string> = new Set(["topology.kubernetes.io/region", "topology.kubernetes.io/zone", "topology.istio.io/subzone"]);

/** Istio's ValidateLocalityLbSetting, which stops at some mistakes. */
export function checkLocalityBalancing(setting: LocalityLoadBalancerSetting | undefined, outlier: boolean, path: string, findings: Findings): void {
  if (setting === undefined) return;
  const { distribute, failover, failoverPriority } = setting;
  if (distribute.length > 0 && failover.length > 0) {
    findings.error(path, "only one of distribute and failover can be set");
    return;
  }
  const topology = failoverPriority.findIndex((label) => TOPOLOGY_LABELS.has(label));
  if (failover.length > 0 && topology >= 0) {
    findings.error(`${path}.failoverPriority[${topology}]`, "topology labels can't be combined with failover");
    return;
  }
  for (const [index, { to }] of distribute.entries()) if (!checkShares(to, `${path}.distribute[${index}].to`, findings)) return;
  findings.error(`${path}.distribute`, overlapProblem(distribute.map(({ from }) => from)));
  checkFailover(setting, outlier, path, findings);
}

/** Istio's ValidateZoneAwareLbSetting: regions and zones are Envoy's business there. */
export function checkZoneAwareBalancing(setting: ZoneAwareLoadBalancerSetting | undefined, outlier: boolean, path: string, findings: Findings): void {
  if (setting === undefined) return;
  for (const [index, label] of setting.failoverPriority.entries()) {
    if (TOPOLOGY_LABELS.has(label)) findings.error(`${path}.failoverPriority[${index}]`, "topology labels have no place here");
  }
  checkFailover(setting, outlier, path, findings);
}

/** Shares that add up to 100; false ends the validation of the whole setting. */
function checkShares(to: Readonly<Record<string, number>>, path: string, findings: Findings): boolean {
  const shares = Object.entries(to);
  const wrong = shares.find(([, weight]) => weight <= 0 || weight > 100);
  if (wrong !== undefined) {
    findings.error(entryPath(path, wrong[0]), "a weight must be in the range 1 to 100");
    return false;
  }
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  if (total !== 100) {
    findings.error(path, `the weights add up to ${total}, not to 100`);
    return false;
  }
  findings.error(path, overlapProblem(Object.keys(to)));
  return true;
}

interface Failover {
  readonly failover: readonly { readonly from: string; readonly to: string }[];
  readonly failoverPriority: readonly string[];
}

function checkFailover({ failover, failoverPriority }: Failover, outlier: boolean, path: string, findings: Findings): void {
  if (failover.length + failoverPriority.length > 0 && !outlier) findings.warning(path, "failover needs outlier detection beside it");
  for (const [index, { from, to }] of failover.entries()) {
    const at = `${path}.failover[${index}]`;
    if (from === to) findings.error(at, "from and to must be different regions");
    if (`${from}${to}`.includes("/")) findings.error(at, "names regions alone, not zones");
    if (`${from}${to}`.includes("*")) findings.error(at, "regions can't have wildcards");
  }
}
