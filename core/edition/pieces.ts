import { ByteReader } from "#core/lib/byte-reader.ts";
import type { ByteWriter } from "#core/lib/byte-writer.ts";
import { DIGEST_BYTES, digestOf, readDigest, writeDigest } from "#core/lib/digest.ts";
import { memoize } from "#core/lib/memo.ts";

/** Part of a large resource, stored under its own digest, so that a change of the resource writes and hashes only what is new. */
export interface Piece {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Hashed once for all resources that it is part of. */
export const pieceOf = memoize((bytes: Uint8Array): Piece => ({ digest: digestOf(bytes), bytes }));

/** Starts the stored form of a resource in pieces: nor a whole resource nor a sealed record starts so. */
const PIECED = 0xfe;

/** Writes the stored form of a resource in pieces: the mark and the digest of each. */
export function writePieces(pieces: readonly Piece[], writer: ByteWriter): void {
  writer.byte(PIECED);
  const { buffer, offset } = writer.claim(DIGEST_BYTES * pieces.length);
  for (const [index, { digest }] of pieces.entries()) writeDigest(digest, buffer, offset + DIGEST_BYTES * index);
}

/** The digests in a stored form; undefined if it is of a whole resource. */
export function pieceDigests(record: Uint8Array): readonly string[] | undefined {
  if (record[0] !== PIECED) return undefined;
  const reader = new ByteReader(record, 1);
  const digests: string[] = [];
  while (!reader.done) digests.push(readDigest(reader.bytes(DIGEST_BYTES), 0));
  return digests;
}
