import { istioStats } from "#core/envoy/http-filters.ts";
import { statsFilter } from "#core/envoy/network-filters.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { Direction } from "./features.ts";
import type { HttpFilterSlots, NetworkFilterSlots } from "./filter-slots.ts";

/** Istio's built-in metrics provider. */
const BUILT_IN_PROVIDER = "prometheus";

export interface MetricsFilters {
  readonly http: HttpFilterSlots;
  readonly network: NetworkFilterSlots;
}

/**
 * A stats filter for each default metrics provider that is a Prometheus (istio `model/telemetry.go` telemetryFilters). Servers and
 * routers don't take the host from the request, which clients choose freely.
 */
export function meshMetrics(config: MeshConfig, direction: Direction): MetricsFilters {
  const providers = new Set(config.defaultProviders.metrics);
  const known = [...providers].filter((name) => name.toLowerCase() === BUILT_IN_PROVIDER);
  const server = direction !== "outbound";
  return { http: { stats: known.map(() => istioStats(server)) }, network: { stats: known.map(() => statsFilter(server)) } };
}
