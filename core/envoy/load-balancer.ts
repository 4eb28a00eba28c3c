import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import {
  type Cluster_CommonLbConfigSchema as CommonSchema,
  Cluster_LbPolicy as Policy,
  type Cluster_SlowStartConfigSchema as SlowStartSchema,
} from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { HealthStatus } from "#proto/envoy/config/core/v3/health_check_pb.js";
import type { ClusterMessage } from "./cluster.ts";
import { CALM_LB } from "./cluster-discovery.ts";
import { durationMessage } from "./duration.ts";

export type LbPart = Pick<ClusterMessage, "lbPolicy" | "lbConfig">;

export interface SlowStart {
  readonly window?: Duration;
  /** Absent: only the window is written. */
  readonly curve?: { readonly aggression: number; readonly minimumPercent: number };
}

export type LbAlgorithm =
  | { readonly kind: "round-robin" | "least-request"; readonly slowStart?: SlowStart }
  | { readonly kind: "random" }
  | { readonly kind: "ring-hash"; readonly minimumSize?: number }
  | { readonly kind: "maglev"; readonly tableSize?: number };

export function loadBalancer(algorithm: LbAlgorithm): LbPart {
  switch (algorithm.kind) {
    case "round-robin":
      return { lbPolicy: Policy.ROUND_ROBIN, ...slowStarted("roundRobinLbConfig", algorithm.slowStart) };
    case "least-request":
      return { lbPolicy: Policy.LEAST_REQUEST, ...slowStarted("leastRequestLbConfig", algorithm.slowStart) };
    case "random":
      return { lbPolicy: Policy.RANDOM };
    case "ring-hash": {
      const size = algorithm.minimumSize;
      return {
        lbPolicy: Policy.RING_HASH,
        ...(size === undefined ? {} : { lbConfig: { case: "ringHashLbConfig", value: { minimumRingSize: BigInt(size) } } }),
      };
    }
    case "maglev": {
      const size = algorithm.tableSize;
      return { lbPolicy: Policy.MAGLEV, ...(size === undefined ? {} : { lbConfig: { case: "maglevLbConfig", value: { tableSize: BigInt(size) } } }) };
    }
  }
}

function slowStarted(kind: "roundRobinLbConfig" | "leastRequestLbConfig", slowStart: SlowStart | undefined): Pick<LbPart, "lbConfig"> {
  return slowStart === undefined ? {} : { lbConfig: { case: kind, value: { slowStartConfig: slowStartConfig(slowStart) } } };
}

function slowStartConfig({ window, curve }: SlowStart): MessageInitShape<typeof SlowStartSchema> {
  return {
    ...(window === undefined ? {} : { slowStartWindow: durationMessage(window) }),
    ...(curve === undefined
      ? {}
      : // The runtime key is of no use but required; Istio chose one that nobody sets.
        { aggression: { defaultValue: curve.aggression, runtimeKey: "(" }, minWeightPercent: { value: curve.minimumPercent } }),
  };
}

export interface CommonLbFields {
  /** Share of healthy hosts below which health no longer counts. */
  readonly panicThreshold: number;
  readonly locality?:
    | { readonly kind: "weighted" }
    | { readonly kind: "zone-aware"; readonly disabled: boolean; readonly minimumClusterSize?: number };
  /** Hosts that are draining may still be chosen by name. */
  readonly keepDraining: boolean;
}

export function commonLb(fields: CommonLbFields): NonNullable<ClusterMessage["commonLbConfig"]> {
  const { locality, keepDraining, panicThreshold } = fields;
  if (panicThreshold === 0 && locality === undefined && !keepDraining) return CALM_LB;
  return {
    healthyPanicThreshold: { value: panicThreshold },
    ...(locality === undefined ? {} : { localityConfigSpecifier: localityConfig(locality) }),
    ...(keepDraining ? { overrideHostStatus: { statuses: KEPT } } : {}),
  };
}

const KEPT = [HealthStatus.HEALTHY, HealthStatus.DRAINING, HealthStatus.UNKNOWN, HealthStatus.DEGRADED];

function localityConfig(
  locality: NonNullable<CommonLbFields["locality"]>,
): NonNullable<MessageInitShape<typeof CommonSchema>["localityConfigSpecifier"]> {
  if (locality.kind === "weighted") return { case: "localityWeightedLbConfig", value: {} };
  const { disabled, minimumClusterSize: size } = locality;
  return {
    case: "zoneAwareLbConfig",
    value: { ...(disabled ? { routingEnabled: { value: 0 } } : {}), ...(size === undefined ? {} : { minClusterSize: BigInt(size) }) },
  };
}
