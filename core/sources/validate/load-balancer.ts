import type {
  LoadBalancerSettings,
  LoadBalancerSettings_ConsistentHashLB,
  LoadBalancerSettings_ConsistentHashLB_HTTPCookie,
  WarmupConfiguration,
} from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { Findings } from "./findings.ts";
import { checkLocalityBalancing, checkZoneAwareBalancing } from "./locality-balancing.ts";
import { durationProblem } from "./numbers.ts";

/** `outlier`: there is outlier detection beside it, which failover needs. */
export function checkLoadBalancer(settings: LoadBalancerSettings | undefined, outlier: boolean, path: string, findings: Findings): void {
  if (settings === undefined) return;
  const { lbPolicy, localityLbSetting, zoneAwareLbSetting, warmup } = settings;
  if (lbPolicy.case === "consistentHash") checkConsistentHash(lbPolicy.value, `${path}.consistentHash`, findings);
  if (localityLbSetting !== undefined && zoneAwareLbSetting !== undefined) {
    findings.error(path, "only one of localityLbSetting and zoneAwareLbSetting can be set");
  }
  checkLocalityBalancing(localityLbSetting, outlier, `${path}.localityLbSetting`, findings);
  checkZoneAwareBalancing(zoneAwareLbSetting, outlier, `${path}.zoneAwareLbSetting`, findings);
  if (warmup !== undefined) checkWarmup(warmup, `${path}.warmup`, findings);
}

function checkConsistentHash(hash: LoadBalancerSettings_ConsistentHashLB, path: string, findings: Findings): void {
  if (hash.hashKey.case === "httpCookie") checkCookie(hash.hashKey.value, `${path}.httpCookie`, findings);
  if (hash.minimumRingSize !== 0n) {
    findings.warning(`${path}.minimumRingSize`, "deprecated, use ringHash");
    if (hash.hashAlgorithm.case !== undefined) findings.error(`${path}.minimumRingSize`, "only one of it and maglev or ringHash may be set");
  }
  if (hash.hashAlgorithm.case !== "maglev") return;
  const { tableSize } = hash.hashAlgorithm.value;
  if (tableSize === 0n) findings.error(`${path}.maglev.tableSize`, "required");
  else if (tableSize >= 5_000_011n) findings.error(`${path}.maglev.tableSize`, "must be less than 5000011");
  else if (!isPrime(Number(tableSize))) findings.error(`${path}.maglev.tableSize`, "must be a prime number");
}

function checkCookie(cookie: LoadBalancerSettings_ConsistentHashLB_HTTPCookie, path: string, findings: Findings): void {
  if (cookie.name === "") findings.error(`${path}.name`, "a cookie needs a name");
  const names = new Set<string>();
  for (const [index, { name }] of cookie.attributes.entries()) {
    if (name === "") findings.error(`${path}.attributes[${index}].name`, "an attribute needs a name");
    else if (names.has(name)) findings.error(`${path}.attributes[${index}].name`, `there is an attribute "${name}" already`);
    names.add(name);
  }
}

function checkWarmup(warmup: WarmupConfiguration, path: string, findings: Findings): void {
  findings.error(`${path}.duration`, warmup.duration === undefined ? "required" : durationProblem(warmup.duration));
  if ((warmup.minimumPercent ?? 0) > 100) findings.error(`${path}.minimumPercent`, "must be at most 100");
  if (warmup.aggression !== undefined && warmup.aggression <= 0) findings.error(`${path}.aggression`, "must be greater than 0");
}

/** As Envoy decides it (`source/common/common/utility.cc` Primes::isPrime): 1 counts. */
function isPrime(value: number): boolean {
  if (value < 4) return true;
  if (value % 2 === 0) return false;
  for (let factor = 3; factor * factor <= value; factor += 2) if (value % factor === 0) return false;
  return true;
}
