import { type ClusterMessage, outlierDetection } from "#core/envoy/cluster.ts";
import { present } from "#core/lib/present.ts";
import type { OutlierDetection } from "#core/model/traffic-policy.ts";

/** Which errors eject a host, and for how long (istio `core/cluster_traffic_policy.go` applyOutlierDetection). */
export function outlierPart(outlier: OutlierDetection | undefined): Pick<ClusterMessage, "outlierDetection"> {
  if (outlier === undefined) return {};
  return {
    outlierDetection: outlierDetection(
      present({
        consecutive5xx: outlier.consecutive5xxErrors,
        consecutiveGatewayFailures: outlier.consecutiveGatewayErrors,
        interval: outlier.interval,
        baseEjectionTime: outlier.baseEjectionTime,
        maxEjectionPercent: outlier.maxEjectionPercent > 0 ? outlier.maxEjectionPercent : undefined,
        localOrigin: outlier.splitExternalLocalOriginErrors
          ? present({ consecutiveFailures: outlier.consecutiveLocalOriginFailures || undefined })
          : undefined,
      }),
    ),
  };
}

/**
 * The share of healthy hosts below which health stops counting: only what the rule asks for. A traffic distribution relies on health, so nothing may switch
 * that off.
 */
export function panicThreshold(outlier: OutlierDetection | undefined, distributes: boolean): number {
  return outlier === undefined || distributes ? 0 : Math.max(outlier.minHealthPercent, 0);
}
