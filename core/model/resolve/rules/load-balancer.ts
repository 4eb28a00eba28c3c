import { present } from "#core/lib/present.ts";
import type { ConsistentHash, LoadBalancer, LocalityLb, Warmup, ZoneAware } from "#core/model/traffic-policy.ts";
import type {
  LoadBalancerSettings,
  LoadBalancerSettings_ConsistentHashLB,
  LoadBalancerSettings_ConsistentHashLB_HTTPCookie,
  LocalityLoadBalancerSetting,
  ZoneAwareLoadBalancerSetting,
} from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { LoadBalancerSettings_SimpleLB as Simple } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { durationOf } from "./proto-duration.ts";

const SIMPLE = {
  [Simple.UNSPECIFIED]: "UNSPECIFIED",
  [Simple.LEAST_CONN]: "LEAST_CONN",
  [Simple.RANDOM]: "RANDOM",
  [Simple.PASSTHROUGH]: "PASSTHROUGH",
  [Simple.ROUND_ROBIN]: "ROUND_ROBIN",
  [Simple.LEAST_REQUEST]: "LEAST_REQUEST",
} as const;

/** A rule's `loadBalancer`; undefined where it says nothing. */
export function loadBalancerOf(message: LoadBalancerSettings | undefined): LoadBalancer | undefined {
  if (message === undefined) return undefined;
  const { lbPolicy } = message;
  return present({
    simple: lbPolicy.case === "simple" ? (SIMPLE[lbPolicy.value] ?? "UNSPECIFIED") : undefined,
    consistentHash: lbPolicy.case === "consistentHash" ? consistentHashOf(lbPolicy.value) : undefined,
    localityLb: localityLbOf(message.localityLbSetting),
    zoneAware: zoneAwareOf(message.zoneAwareLbSetting),
    warmup: warmupOf(message),
  });
}

/** `warmup` makes the deprecated `warmupDurationSecs` void (istio `cluster_traffic_policy.go` applyRoundRobinLoadBalancer). */
function warmupOf(message: LoadBalancerSettings): Warmup | undefined {
  if (message.warmup !== undefined) {
    const { duration, minimumPercent, aggression } = message.warmup;
    return present({ duration: durationOf(duration), minimumPercent, aggression, deprecated: false });
  }
  if (message.warmupDurationSecs === undefined) return undefined;
  return present({ duration: durationOf(message.warmupDurationSecs), deprecated: true });
}

function consistentHashOf(message: LoadBalancerSettings_ConsistentHashLB): ConsistentHash {
  return { key: hashKeyOf(message.hashKey), algorithm: hashAlgorithmOf(message.hashAlgorithm), minimumRingSize: Number(message.minimumRingSize) };
}

function hashKeyOf(key: LoadBalancerSettings_ConsistentHashLB["hashKey"]): ConsistentHash["key"] {
  switch (key.case) {
    case "httpHeaderName":
      return { kind: "header", name: key.value };
    case "httpCookie":
      return cookieOf(key.value);
    case "useSourceIp":
      return { kind: key.value ? "source-ip" : "source-ip-off" };
    case "httpQueryParameterName":
      return { kind: "query", name: key.value };
    default:
      return { kind: "none" };
  }
}

function cookieOf(message: LoadBalancerSettings_ConsistentHashLB_HTTPCookie): ConsistentHash["key"] {
  const attributes = message.attributes.map(({ name, value }) => ({ name, value }));
  return present({ kind: "cookie" as const, name: message.name, path: message.path, ttl: durationOf(message.ttl), attributes });
}

function hashAlgorithmOf(algorithm: LoadBalancerSettings_ConsistentHashLB["hashAlgorithm"]): ConsistentHash["algorithm"] {
  switch (algorithm.case) {
    case "ringHash":
      return { kind: "ring-hash", minimumRingSize: Number(algorithm.value.minimumRingSize) };
    case "maglev":
      return { kind: "maglev", tableSize: Number(algorithm.value.tableSize) };
    default:
      return { kind: "default" };
  }
}

/** How localities count, as a rule or mesh config says. */
export function localityLbOf(message: LocalityLoadBalancerSetting | undefined): LocalityLb | undefined {
  if (message === undefined) return undefined;
  return present({
    enabled: message.enabled,
    distribute: message.distribute.map(({ from, to }) => ({ from, to })),
    failover: message.failover.map(({ from, to }) => ({ from, to })),
    failoverPriority: message.failoverPriority,
  });
}

/** Zone-aware balancing, as a rule or mesh config says. */
export function zoneAwareOf(message: ZoneAwareLoadBalancerSetting | undefined): ZoneAware | undefined {
  if (message === undefined) return undefined;
  return present({
    enabled: message.enabled,
    minClusterSize: message.minClusterSize,
    failover: message.failover.map(({ from, to }) => ({ from, to })),
    failoverPriority: message.failoverPriority,
  });
}
