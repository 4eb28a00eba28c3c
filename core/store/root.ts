import type { PackRef } from "#core/edition/pack-ref.ts";

/** Key of the root, the only object that is ever overwritten. */
export const ROOT_KEY = "root";

/** What a store holds now: small, JSON, swapped as a whole. Fields that a release does not know are ignored by it. */
export interface Root {
  /** Of the root and of all that it names; a release reads its own and the one before. */
  readonly format: number;
  /** One more at each swap; never falls. */
  readonly generation: number;
  /** Who wrote this root: settles whose write it was when the answer to one was lost. */
  readonly nonce: string;
  /** The newest edition. */
  readonly head: EditionRef;
  /** The edition to serve: the head, unless a rollback or pin is on. */
  readonly served: EditionRef;
  /** Packs that hold both, oldest first: each holds what its edition has and the packs before it do not. */
  readonly packs: readonly PackRef[];
}

export interface EditionRef {
  readonly edition: string;
  readonly generation: number;
}
