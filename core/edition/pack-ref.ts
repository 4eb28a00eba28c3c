/** Names a pack and proves it. */
export interface PackRef {
  /** `<generation>-<random>`; names sort by generation and are never used again. */
  readonly name: string;
  /** SHA-256 of the pack's bytes, in base64url. */
  readonly checksum: string;
  /** Of the pack in bytes. */
  readonly size: number;
}

/** What a pack says of itself. */
export interface PackHeader {
  /** Id of the edition that it publishes. */
  readonly edition: string;
  readonly generation: number;
  /** The packs that complete it, oldest first. */
  readonly packs: readonly PackRef[];
}
