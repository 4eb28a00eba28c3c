import type { CommonLbFields } from "#core/envoy/load-balancer.ts";
import { type LbAlgorithm, type LbPart, loadBalancer, type SlowStart } from "#core/envoy/load-balancer.ts";
import { present } from "#core/lib/present.ts";
import type { ConsistentHash, LoadBalancer, Warmup } from "#core/model/traffic-policy.ts";
import type { LocalitySetting } from "../policy/locality-setting.ts";

/** How a host is chosen; a hash takes the place of whatever else is set (istio `core/cluster_traffic_policy.go` applyLoadBalancer). */
export function lbPart(settings: LoadBalancer | undefined): LbPart {
  const simple = loadBalancer(simpleAlgorithm(settings));
  return settings?.consistentHash === undefined ? simple : { ...simple, ...loadBalancer(hashAlgorithm(settings.consistentHash)) };
}

function simpleAlgorithm(settings: LoadBalancer | undefined): LbAlgorithm {
  switch (settings?.simple) {
    case "RANDOM":
      return { kind: "random" };
    case "ROUND_ROBIN":
      return present({ kind: "round-robin" as const, slowStart: slowStart(settings.warmup) });
    default:
      return present({ kind: "least-request" as const, slowStart: slowStart(settings?.warmup) });
  }
}

function slowStart(warmup: Warmup | undefined): SlowStart | undefined {
  if (warmup === undefined) return undefined;
  const { duration, aggression, minimumPercent } = warmup;
  return present({ window: duration, curve: warmup.deprecated ? undefined : { aggression: aggression ?? 1, minimumPercent: minimumPercent ?? 10 } });
}

/** Without an algorithm it is a ring of at least 1024 places, or of the deprecated size; with one, a size of 0 is left to Envoy. */
function hashAlgorithm({ algorithm, minimumRingSize }: ConsistentHash): LbAlgorithm {
  switch (algorithm.kind) {
    case "maglev":
      return present({ kind: "maglev" as const, tableSize: algorithm.tableSize || undefined });
    case "ring-hash":
      return present({ kind: "ring-hash" as const, minimumSize: algorithm.minimumRingSize || undefined });
    case "default":
      return { kind: "ring-hash", minimumSize: minimumRingSize || 1024 };
  }
}

/** What a cluster must be told of localities, beside the priorities and weights that its endpoints get (istio `loadbalancer.go` ApplyToCluster). */
export function localityPart(setting: LocalitySetting | undefined): CommonLbFields["locality"] {
  if (setting === undefined) return undefined;
  if (setting.kind === "zone-aware") {
    return present({ kind: "zone-aware" as const, disabled: setting.setting.enabled === false, minimumClusterSize: setting.setting.minClusterSize });
  }
  const { distribute, failover, failoverPriority } = setting.setting;
  const weighted = distribute.length > 0 || (setting.failover && (failover.length > 0 || failoverPriority.length > 0));
  return weighted ? { kind: "weighted" } : undefined;
}
