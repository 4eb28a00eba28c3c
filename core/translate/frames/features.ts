import type { Duration } from "#core/lib/duration.ts";

export type Direction = "inbound" | "outbound";

/** What of a node's metadata frames read. */
export interface FrameFeatures {
  readonly http10: boolean;
  readonly idleTimeout?: Duration;
}
