import type { Duration } from "#core/lib/duration.ts";
import { interner } from "#core/lib/intern.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import type { Dialect, ProxyFeatures } from "#core/node/facts.ts";

/** Whose traffic: a workload's own, or that of others (`gateway`), which a router lets in. */
export type Direction = "inbound" | "outbound" | "gateway";

/** What frames read of one client. */
export interface FrameFeatures {
  readonly http10: boolean;
  readonly idleTimeout?: Duration;
  /** Istio's own filters are in the proxy. */
  readonly istioFilters: boolean;
  /** The proxy's bootstrap has the cluster of an access log service. */
  readonly logService: boolean;
  /** Logs to the process's streams are written as files. */
  readonly streamFiles: boolean;
}

/** A client as it is placed. */
export interface FrameClient {
  readonly features: Pick<ProxyFeatures, "http10" | "idleTimeout">;
  readonly dialect: Dialect;
}

const intern = interner<FrameFeatures>();

/** Gathers them; equal ones are one value. */
export function frameFeatures({ features: { http10, idleTimeout }, dialect }: FrameClient): FrameFeatures {
  const { istioFilters, logService, streamFiles } = dialectFeatures(dialect);
  return intern({ http10, ...(idleTimeout && { idleTimeout }), istioFilters, logService, streamFiles });
}
