import type { ObjectKey } from "#core/lib/object-key.ts";

export type PeerMode = "UNSET" | "DISABLE" | "PERMISSIVE" | "STRICT";

/** Who must speak mutual TLS; only the oldest of a scope counts (security.istio.io). */
export interface PeerAuthentication {
  readonly name: string;
  readonly namespace: string;
  readonly selector?: Readonly<Record<string, string>>;
  readonly mode: PeerMode;
  readonly ports: Readonly<Record<number, PeerMode>>;
  readonly sources: readonly ObjectKey[];
}
