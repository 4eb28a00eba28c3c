import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule, Subset } from "#core/model/destination-rule.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { PortTrafficPolicy, TrafficPolicy } from "#core/model/traffic-policy.ts";

/** A policy after ports and subsets are settled: what counts for one cluster. */
export type EffectivePolicy = Omit<TrafficPolicy, "portLevelSettings">;

type MeshDefaults = NonNullable<MeshConfig["defaultTrafficPolicy"]>;

const NONE: EffectivePolicy = {};

/**
 * The policy in force for a port of a service, and for a subset if one is named; a subset that the rule doesn't have adds nothing.
 * Mesh defaults fill blocks that the rule leaves open, before a subset replaces them; endpoints are built without them
 * (istio `core/cluster_builder.go` applyDestinationRule, `endpoint_builder.go` getSubsetTrafficPolicy).
 */
export function effectivePolicy(rule: DestinationRule | undefined, port: number, subset = "", defaults?: MeshDefaults): EffectivePolicy {
  if (rule === undefined) return defaults ?? NONE;
  const known = policiesOf(rule, defaults);
  const key = `${port} ${subset}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const named = subset === "" ? undefined : rule.subsets.find((candidate) => candidate.name === subset);
  const base = withDefaults(atPort(rule.policy, port), defaults);
  const policy = (named === undefined ? base : withSubset(base, named, port)) ?? NONE;
  known.set(key, policy);
  return policy;
}

const policiesOf = memoize((_rule: DestinationRule, _defaults: MeshDefaults | undefined) => new Map<string, EffectivePolicy>());

/** A setting for the port replaces the whole policy, and has four blocks only (istio `networking/util` GetPortLevelTrafficPolicy). */
function atPort(policy: TrafficPolicy | undefined, port: number): EffectivePolicy | undefined {
  return portSetting(policy, port) ?? policy;
}

function portSetting(policy: TrafficPolicy | undefined, port: number): PortTrafficPolicy | undefined {
  return policy?.portLevelSettings.find((setting) => setting.port === port);
}

/** Block by block (istio `core/cluster_traffic_policy.go` applyDefaultTrafficPolicy). */
function withDefaults(policy: EffectivePolicy | undefined, defaults: MeshDefaults | undefined): EffectivePolicy | undefined {
  return defaults === undefined ? policy : { ...defaults, ...policy };
}

/**
 * What the subset names replaces that of the rule, block by block; a setting of the subset for the port replaces all four blocks, also by nothing
 * (istio `networking/util` MergeSubsetTrafficPolicy).
 */
function withSubset(base: EffectivePolicy | undefined, { policy }: Subset, port: number): EffectivePolicy | undefined {
  if (policy === undefined) return base;
  const setting = portSetting(policy, port);
  if (base === undefined) return setting ?? policy;
  if (setting === undefined) return { ...base, ...policy };
  const { connectionPool, loadBalancer, outlierDetection, tls, ...others } = base;
  return { ...others, ...setting };
}
