import type { Duration } from "#core/lib/duration.ts";

/** Whose traffic: a workload's own, or that of others (`gateway`), which a router lets in. */
export type Direction = "inbound" | "outbound" | "gateway";

/** What of a node's metadata frames read. */
export interface FrameFeatures {
  readonly http10: boolean;
  readonly idleTimeout?: Duration;
}
