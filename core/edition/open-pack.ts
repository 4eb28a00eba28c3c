import { ByteReader } from "#core/lib/byte-reader.ts";
import { DIGEST_BYTES, readDigest, writeDigest } from "#core/lib/digest.ts";
import type { Compression } from "./compression.ts";
import { PACK_FORMAT, PACK_MAGIC } from "./pack.ts";
import type { PackHeader, PackRef } from "./pack-ref.ts";

/** A pack that can be read from. Content stays compressed until a record in it is asked for. */
export interface OpenPack {
  readonly ref: PackRef;
  readonly header: PackHeader;
  /** Undefined if the pack does not have the digest. */
  read(digest: string): Uint8Array | undefined;
}

/** Opens a pack whose bytes were proven by its checksum. Throws if they are no pack of a format that this release reads. */
export function openPack(ref: PackRef, bytes: Uint8Array, compression: Compression): OpenPack {
  const reader = new ByteReader(bytes);
  const isPack = reader.bytes(PACK_MAGIC.length).every((byte, index) => byte === PACK_MAGIC[index]);
  const format = reader.byte();
  if (!isPack || format < 1 || format > PACK_FORMAT) throw new Error(`pack ${ref.name} has a format that this release does not read`);
  const header = readHeader(reader);
  let find: OpenPack["read"] | undefined;
  // Who publishes opens every pack, and reads hardly any.
  const read: OpenPack["read"] = (digest) => {
    find ??= readIndex(reader, compression);
    return find(digest);
  };
  return { ref, header, read };
}

function readIndex(reader: ByteReader, compression: Compression): OpenPack["read"] {
  const chunks = Array.from({ length: reader.varint() }, () => ({ served: reader.byte() === 1, length: reader.varint(), stored: reader.varint() }));
  const count = reader.varint();
  const digests = reader.bytes(DIGEST_BYTES * count);
  const places = Array.from({ length: 2 * count }, () => reader.varint());
  let start = 0;
  const content = new Content(
    chunks.map(({ served, length, stored }) => {
      const chunk = { served, start, end: start + length, stored: reader.bytes(stored) };
      start += length;
      return chunk;
    }),
    compression,
  );
  return (digest) => {
    const index = search(digests, digest);
    return index < 0 ? undefined : content.slice(places[2 * index] ?? 0, places[2 * index + 1] ?? 0);
  };
}

interface StoredChunk {
  readonly served: boolean;
  /** Where it starts and ends in the content as a whole. */
  readonly start: number;
  readonly end: number;
  readonly stored: Uint8Array;
}

/** How many chunks that only builders read stay expanded. */
const EXPANDED_KEPT = 4;

/** Expands chunks when they are asked for. What fronts serve stays; of the rest only the last few. */
class Content {
  readonly #chunks: readonly StoredChunk[];
  readonly #compression: Compression;
  readonly #served = new Map<StoredChunk, Uint8Array>();
  #kept: { readonly chunk: StoredChunk; readonly bytes: Uint8Array }[] = [];

  constructor(chunks: readonly StoredChunk[], compression: Compression) {
    this.#chunks = chunks;
    this.#compression = compression;
  }

  slice(offset: number, length: number): Uint8Array {
    const chunk = this.#chunkAt(offset);
    return this.#expand(chunk).subarray(offset - chunk.start, offset - chunk.start + length);
  }

  #chunkAt(offset: number): StoredChunk {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle] as StoredChunk).end <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#chunks[low] as StoredChunk;
  }

  #expand(chunk: StoredChunk): Uint8Array {
    const known = this.#served.get(chunk) ?? this.#kept.find((kept) => kept.chunk === chunk)?.bytes;
    if (known !== undefined) return known;
    const bytes = this.#compression.expand(chunk.stored);
    if (chunk.served) this.#served.set(chunk, bytes);
    else this.#kept = [{ chunk, bytes }, ...this.#kept.slice(0, EXPANDED_KEPT - 1)];
    return bytes;
  }
}

function readHeader(reader: ByteReader): PackHeader {
  const edition = readDigest(reader.bytes(DIGEST_BYTES), 0);
  const generation = reader.varint();
  const packs = Array.from({ length: reader.varint() }, () => ({ name: reader.text(), checksum: reader.text(), size: reader.varint() }));
  return { edition, generation, packs };
}

/** Index of a digest among sorted ones, or -1. */
function search(digests: Uint8Array, digest: string): number {
  const wanted = new Uint8Array(DIGEST_BYTES);
  writeDigest(digest, wanted, 0);
  let low = 0;
  let high = digests.length / DIGEST_BYTES - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compareAt(digests, middle * DIGEST_BYTES, wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function compareAt(digests: Uint8Array, offset: number, wanted: Uint8Array): number {
  for (let index = 0; index < DIGEST_BYTES; index++) {
    const order = (digests[offset + index] ?? 0) - (wanted[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
