import type { Compression } from "#core/edition/compression.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import type { ObjectStore } from "./object-store.ts";

/** What loading needs of the world. */
export interface StoreContext {
  readonly store: ObjectStore;
  readonly compression: Compression;
  /** Opens what is sealed; without it, secrets of a loaded edition are as if they were not there. */
  readonly sealer?: Sealer | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What publishing needs besides. */
export interface PublishContext extends StoreContext {
  /** That many unpredictable bytes. */
  readonly random: (bytes: number) => Uint8Array;
}
