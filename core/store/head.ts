import type { Edition } from "#core/edition/edition.ts";
import type { Loaded } from "#core/edition/loaded.ts";
import type { Shelf } from "#core/edition/shelf.ts";
import type { Token } from "./object-store.ts";
import type { Root } from "./root.ts";

/** A store's root as this process last read or wrote it, and the editions that it names. The next load or publication starts from it. */
export interface Head {
  readonly root: Root;
  readonly token: Token;
  /** When that was, in milliseconds since the epoch. */
  readonly readAt: number;
  /** The newest edition: what a builder builds on. */
  readonly edition: Edition;
  /** The edition to serve. */
  readonly loaded: Loaded;
  /** For each pack of the root, in order, the edition that it published. */
  readonly published: readonly (() => Edition)[];
  /** Open packs, shared by all heads of this process that come of each other. */
  readonly shelf: Shelf;
}
