import { HOSTNAME_LABEL, NETWORK_LABEL, REGION_LABEL, SUBZONE_LABEL, ZONE_LABEL } from "#core/lib/topology.ts";
import type { Service } from "#core/model/service.ts";
import type { LoadBalancer, LocalityLb, ZoneAware } from "#core/model/traffic-policy.ts";

/** How localities count for a cluster, after rule, service and mesh are settled. `failover`: lower priorities are used when higher ones fail. */
export type LocalitySetting =
  | { readonly kind: "locality"; readonly setting: LocalityLb; readonly failover: boolean }
  | { readonly kind: "zone-aware"; readonly setting: ZoneAware };

export interface MeshLocality {
  readonly localityLb?: LocalityLb;
  readonly zoneAware?: ZoneAware;
}

/**
 * The setting in force, or undefined: the rule's, else the service's traffic distribution, else the mesh's; zone-aware before locality at each level, and a
 * disabled one ends the search (istio `core/loadbalancer/loadbalancer.go` GetEffectiveLbSetting). `detectsOutliers`: without outlier detection Envoy never
 * notices that it should fail over, so priorities are only made where a traffic distribution insists.
 */
export function localitySetting(
  loadBalancer: LoadBalancer | undefined,
  distribution: Service["trafficDistribution"],
  mesh: MeshLocality,
  detectsOutliers: boolean,
): LocalitySetting | undefined {
  if (loadBalancer?.zoneAware !== undefined) return { kind: "zone-aware", setting: loadBalancer.zoneAware };
  if (loadBalancer?.localityLb !== undefined) return enabled(loadBalancer.localityLb, detectsOutliers);
  if (distribution !== "any") return { kind: "locality", setting: CLOSEST[distribution], failover: true };
  if (mesh.zoneAware !== undefined) return { kind: "zone-aware", setting: mesh.zoneAware };
  return mesh.localityLb && enabled(mesh.localityLb, detectsOutliers);
}

function enabled(setting: LocalityLb, failover: boolean): LocalitySetting | undefined {
  return setting.enabled === false ? undefined : { kind: "locality", setting, failover };
}

const SAME_ZONE: LocalityLb = { distribute: [], failover: [], failoverPriority: [NETWORK_LABEL, REGION_LABEL, ZONE_LABEL] };
const CLOSEST: Readonly<Record<"same-zone" | "same-node", LocalityLb>> = {
  "same-zone": SAME_ZONE,
  "same-node": { ...SAME_ZONE, failoverPriority: [...SAME_ZONE.failoverPriority, SUBZONE_LABEL, HOSTNAME_LABEL] },
};
