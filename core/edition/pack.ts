import { ByteWriter } from "#core/lib/byte-writer.ts";
import { compareText } from "#core/lib/compare.ts";
import { DIGEST_BYTES, writeDigest } from "#core/lib/digest.ts";
import type { Compression } from "./compression.ts";
import type { PackHeader } from "./pack-ref.ts";

/** Stored content and its name. */
export interface PackRecord {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** What goes into a pack: what fronts serve from it, and what only builders read. */
export interface PackContents {
  readonly served: readonly PackRecord[];
  readonly kept: readonly PackRecord[];
}

/** First bytes of a pack, its format in the last. */
export const PACK_MAGIC: Uint8Array = Uint8Array.of(0x41, 0x4c, 0x4d, 1);

/** Content is compressed in pieces of about this many bytes, so that one layer can be read without the others. */
const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a pack: magic, header, chunk table (kind, length, compressed length), records (digests sorted, then offset and length of each in the content as a
 * whole), compressed chunks. Integers are varints.
 */
export function encodePack(header: PackHeader, contents: PackContents, compression: Compression): Uint8Array {
  const chunks = chunksOf(contents);
  const writer = new ByteWriter(16 * 1024);
  writer.bytes(PACK_MAGIC);
  writeHeader(header, writer);
  const compressed = chunks.map((chunk) => compression.compress(chunk.bytes));
  writer.varint(chunks.length);
  for (const [index, chunk] of chunks.entries()) {
    writer.byte(chunk.served ? 1 : 0);
    writer.varint(chunk.bytes.length);
    writer.varint(compressed[index]?.length ?? 0);
  }
  writeRecords([...contents.served, ...contents.kept], writer);
  for (const bytes of compressed) writer.bytes(bytes);
  return writer.take();
}

interface Chunk {
  readonly served: boolean;
  readonly bytes: Uint8Array;
}

function chunksOf({ served, kept }: PackContents): readonly Chunk[] {
  const total = lengthOf(served) + lengthOf(kept);
  if (total <= CHUNK_BYTES) return [{ served: true, bytes: join([...served, ...kept]) }];
  return [...split(served, true), ...split(kept, false)];
}

function split(records: readonly PackRecord[], served: boolean): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let open: PackRecord[] = [];
  let length = 0;
  for (const record of records) {
    open.push(record);
    length += record.bytes.length;
    if (length < CHUNK_BYTES) continue;
    chunks.push({ served, bytes: join(open) });
    open = [];
    length = 0;
  }
  return open.length === 0 ? chunks : [...chunks, { served, bytes: join(open) }];
}

function lengthOf(records: readonly PackRecord[]): number {
  return records.reduce((sum, record) => sum + record.bytes.length, 0);
}

function join(records: readonly PackRecord[]): Uint8Array {
  const joined = new Uint8Array(lengthOf(records));
  let offset = 0;
  for (const { bytes } of records) {
    joined.set(bytes, offset);
    offset += bytes.length;
  }
  return joined;
}

function writeHeader(header: PackHeader, writer: ByteWriter): void {
  const { buffer, offset } = writer.claim(DIGEST_BYTES);
  writeDigest(header.edition, buffer, offset);
  writer.varint(header.generation);
  writer.varint(header.packs.length);
  for (const pack of header.packs) {
    writer.text(pack.name);
    writer.text(pack.checksum);
    writer.varint(pack.size);
  }
}

function writeRecords(records: readonly PackRecord[], writer: ByteWriter): void {
  let offset = 0;
  const placed = records.map(({ digest, bytes }) => {
    const place = { digest, offset, length: bytes.length };
    offset += bytes.length;
    return place;
  });
  placed.sort((a, b) => compareText(a.digest, b.digest));
  writer.varint(placed.length);
  const digests = writer.claim(DIGEST_BYTES * placed.length);
  for (const [index, { digest }] of placed.entries()) writeDigest(digest, digests.buffer, digests.offset + DIGEST_BYTES * index);
  for (const place of placed) {
    writer.varint(place.offset);
    writer.varint(place.length);
  }
}
