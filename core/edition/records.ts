/** Where stored content is found by its digest. */
export interface Records {
  /** Throws for a digest that is nowhere: what an edition names is in its packs, so that is damage. */
  read(digest: string): Uint8Array;
  /** As {@link read}, unsealed if it was sealed; undefined if it is sealed and the key is missing or another. */
  open(digest: string): Uint8Array | undefined;
}
