import type { DirectoryEntry } from "#core/node/directory.ts";
import type { Documents } from "./document.ts";
import type { Layer } from "./layer.ts";
import type { Tree } from "./tree.ts";

/** The stored form that this release writes. */
export const FORMAT = 1;

/** Everything that was compiled from one state of the mesh: the unit of publication, diff, rollback and pin. Deeply readonly; parts are read when looked at. */
export interface Edition extends EditionFacts, EditionContents {
  /** Digest of the edition's record, which holds the facts and the digests of the contents. */
  readonly id: string;
}

/** What an edition holds. */
export interface EditionContents {
  /** Objects as the sources gave them, by `cluster/kind/namespace/name`. */
  readonly inventory: Documents;
  /** By layer key. */
  readonly layers: Tree<Layer>;
  readonly directory: Documents<DirectoryEntry>;
  readonly rules: Documents;
  /** Facts of the nodes that layers were compiled for. */
  readonly census: Documents;
  /** What is wrong with the objects, each alone and together. */
  readonly diagnostics: Documents;
}

/** What an edition says of itself. */
export interface EditionFacts {
  readonly format: number;
  /** One more than its parent's; the first is 1. */
  readonly generation: number;
  /** Id of the edition that it was built on. */
  readonly parent?: string;
  readonly cause: Cause;
  /** Who built it: name and version of a program. */
  readonly builder: string;
}

/** The source objects whose change made an edition. */
export interface Cause {
  readonly total: number;
  /** The first few as `cluster/kind/namespace/name`, sorted. */
  readonly keys: readonly string[];
}
