/**
 * Where editions are kept: an object store with conditional writes (a file system, memory, S3 and what speaks it). Keys are paths of ASCII letters, digits,
 * `-`, `_` and `.`, no part of which starts with a dot. Reads see all writes that were answered before.
 * Every operation may throw for an outage; a write that threw may or may not have happened, and the store never retries a conditional write by itself, since a
 * second attempt would be refused by the first.
 */
export interface ObjectStore {
  /** With the token of an earlier answer, bytes come only if the object changed since. */
  get(key: string, ifNot?: Token): Promise<Got>;
  /** Creates an object; never overwrites one. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<Put>;
  /** Replaces an object that still has the token; of several at the same time exactly one succeeds. */
  swap(key: string, bytes: Uint8Array, token: Token): Promise<Put>;
  /** All objects whose key starts with `prefix`, by key in code unit order. */
  list(prefix: string): Promise<readonly Listed[]>;
  /** Removes an object, with a token only if it still has it. Nothing to remove is no error. */
  delete(key: string, token?: Token): Promise<void>;
}

/** Names one state of one object; opaque. */
export type Token = string;

export type Got =
  | { readonly outcome: "found"; readonly bytes: Uint8Array; readonly token: Token }
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "absent" };

/** `refused`: the condition did not hold, and nothing was written. */
export type Put = { readonly outcome: "written"; readonly token: Token } | { readonly outcome: "refused" };

export interface Listed {
  readonly key: string;
  readonly size: number;
  /** When it was written last, in milliseconds since the epoch by the store's own clock. */
  readonly modified: number;
}
