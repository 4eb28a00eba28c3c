import type { PackRef } from "#core/edition/pack-ref.ts";

/** Key of the root, the only object that is ever overwritten. */
export const ROOT_KEY = "root";

/** The form of root that this release writes. */
export const ROOT_FORMAT = 1;

/** What a store holds now: small, JSON, swapped as a whole. Fields that a release does not know are ignored by it. */
export interface Root {
  /** Of the root and of all that it names. */
  readonly format: number;
  /** One more at each swap; never falls. */
  readonly generation: number;
  /** Made anew for each root: settles whose write it was when the answer to one was lost. */
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

/** The root as it is stored. */
export function encodeRoot(root: Root): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(root)}\n`);
}

/** Throws for a root of a format that this release does not read, and for what is no root. */
export function decodeRoot(bytes: Uint8Array): Root {
  const root = parse(new TextDecoder().decode(bytes));
  if (root.format !== ROOT_FORMAT) throw new Error(`the store has format ${root.format}; this release reads ${ROOT_FORMAT}`);
  return root;
}

function parse(text: string): Root {
  try {
    const root: unknown = JSON.parse(text);
    if (typeof root === "object" && root !== null && "format" in root) return root as Root;
  } catch {
    // Said below.
  }
  throw new Error("its root is damaged, or was not written by Almanac");
}
