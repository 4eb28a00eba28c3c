import type { JsonValue } from "@bufbuild/protobuf";

/**
 * Resources say that what they name comes over the aggregated stream, and a client that polls has none. In REST answers those sources are polled too, from the
 * cluster by which the client reaches its control plane.
 */
export interface PolledSource {
  /** Name of that cluster in the client's bootstrap. */
  readonly cluster: string;
  readonly refreshMs: number;
}

/** Fields of `envoy.config.core.v3.ConfigSource` beside the one that says where to. */
const BESIDE = new Set(["ads", "resource_api_version", "initial_fetch_timeout", "authorities"]);

/** Replaces every aggregated config source in a message's JSON (field names as in the protocol's files). */
export function withPolledSources(json: JsonValue, source: PolledSource): JsonValue {
  if (Array.isArray(json)) return json.map((item) => withPolledSources(item, source));
  if (typeof json !== "object" || json === null) return json;
  if (isAggregated(json)) {
    const { ads: _, ...rest } = json;
    return { ...rest, api_config_source: apiConfigSource(source), resource_api_version: "V3" };
  }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withPolledSources(value, source)]));
}

function isAggregated(json: { readonly [key: string]: JsonValue }): boolean {
  const { ads } = json;
  return typeof ads === "object" && ads !== null && Object.keys(ads).length === 0 && Object.keys(json).every((key) => BESIDE.has(key));
}

function apiConfigSource({ cluster, refreshMs }: PolledSource): JsonValue {
  return { api_type: "REST", transport_api_version: "V3", cluster_names: [cluster], refresh_delay: `${refreshMs / 1_000}s`, request_timeout: "2s" };
}
