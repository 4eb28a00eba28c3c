import { type Tag, type Tracing, tracing } from "#core/envoy/tracing.ts";
import { compareText } from "#core/lib/compare.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import type { ListenerLiterals } from "../literals.ts";

/** What listeners of one class say of tracing, up to a workload's own names. */
export interface TracingFrame {
  readonly randomSampling: number;
  readonly maxPathTagLength?: number;
  /** Tags of the workload's names and of authorization that is only tried out. */
  readonly istioTags: boolean;
  readonly customTags: readonly Tag[];
}

/** Istio's `PILOT_TRACE_SAMPLING`. */
const DEFAULT_SAMPLING = 1;

/**
 * Tracing as mesh config and a proxy's config have it, without a provider: that comes from the proxy's bootstrap (istio `core/tracing.go`
 * configureTracingFromTelemetry). Default providers that don't exist switch tracing off.
 */
export function meshTracing(config: MeshConfig, proxyConfig: ProxyConfig): TracingFrame | undefined {
  if (!config.enableTracing || config.defaultProviders.tracing.length > 0) return undefined;
  const { tracingSampling = DEFAULT_SAMPLING, tracingMaxPathTagLength: maxPathTagLength } = proxyConfig;
  return {
    randomSampling: tracingSampling > 100 ? DEFAULT_SAMPLING : tracingSampling,
    ...(maxPathTagLength !== undefined && { maxPathTagLength }),
    istioTags: proxyConfig.tracingIstioTags ?? true,
    customTags: Object.entries(proxyConfig.tracingCustomTags).map(([tag, custom]) => customTag(tag, custom)),
  };
}

function customTag(tag: string, { kind, name, defaultValue }: ProxyConfig["tracingCustomTags"][string]): Tag {
  return kind === "literal" ? { kind, tag, value: name } : { kind, tag, name, defaultValue };
}

/** Completes a frame's tracing with a workload's names. */
export function workloadTracing(frame: TracingFrame, literals: ListenerLiterals): Tracing {
  const own = frame.istioTags ? [...workloadTags(literals), ...DRY_RUN_TAGS] : [];
  const tags = [...own, ...frame.customTags].sort((a, b) => compareText(a.tag, b.tag));
  return tracing({ ...frame, tags });
}

function workloadTags(literals: ListenerLiterals): readonly Tag[] {
  return [
    { kind: "literal", tag: "istio.canonical_revision", value: literals.canonicalRevision },
    { kind: "literal", tag: "istio.canonical_service", value: literals.canonicalName },
    { kind: "literal", tag: "istio.mesh_id", value: literals.meshId },
    { kind: "literal", tag: "istio.namespace", value: literals.namespace },
    { kind: "literal", tag: "istio.cluster_id", value: literals.cluster },
  ];
}

/** What the authorization filter writes of policies that are only tried out. */
const DRY_RUN_TAGS: readonly Tag[] = (["allow", "deny"] as const).flatMap((action) => [
  dryRunTag(`istio.authorization.dry_run.${action}_policy.name`, `istio_dry_run_${action}_shadow_effective_policy_id`),
  dryRunTag(`istio.authorization.dry_run.${action}_policy.result`, `istio_dry_run_${action}_shadow_engine_result`),
]);

function dryRunTag(tag: string, key: string): Tag {
  return { kind: "metadata", tag, filter: "envoy.filters.http.rbac", key };
}
