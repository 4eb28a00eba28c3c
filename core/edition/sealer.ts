/** Keeps what is secret unreadable in a store: authenticated encryption under a key that only builders and fronts have. */
export interface Sealer {
  /** Names secret content by a digest under the key (40 hexadecimal digits), so that nobody else can tell by a name what the content is. */
  digest(content: Uint8Array): string;
  /** Bound to the digest: it opens under no other name. Equal content seals to equal bytes. */
  seal(content: Uint8Array, digest: string): Uint8Array;
  /** Undefined if another key sealed it, or it was tampered with. */
  open(sealed: Uint8Array, digest: string): Uint8Array | undefined;
}

/** Starts a sealed record: neither a resource's stored form nor a document's text starts so. */
export const SEALED = 0xff;

/** A sealed record: the mark, then what the sealer made. */
export function sealRecord(content: Uint8Array, digest: string, sealer: Sealer): Uint8Array {
  const sealed = sealer.seal(content, digest);
  const record = new Uint8Array(1 + sealed.length);
  record[0] = SEALED;
  record.set(sealed, 1);
  return record;
}

/** The content of a record, sealed or not. */
export function openRecord(record: Uint8Array, digest: string, sealer: Sealer | undefined): Uint8Array | undefined {
  return record[0] === SEALED ? sealer?.open(record.subarray(1), digest) : record;
}
