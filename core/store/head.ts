import type { Edition } from "#core/edition/edition.ts";
import type { Loaded } from "#core/edition/loaded.ts";
import type { Shelf } from "#core/edition/shelf.ts";
import type { Token } from "./object-store.ts";
import type { Root } from "./root.ts";

/** A store's root as somebody has read or written it, and the edition it names. The next load or publication starts from it. */
export interface Head {
  readonly root: Root;
  readonly token: Token;
  /** When the root was read or written, by the holder's clock if it has one. */
  readonly loaded: Loaded;
  /** For each pack of the root, in order, the edition that it published: what the packs up to it hold. */
  readonly published: readonly (() => Edition)[];
  readonly shelf: Shelf;
}
