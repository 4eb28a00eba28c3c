import { ByteWriter } from "#core/lib/byte-writer.ts";
import { compareText } from "#core/lib/compare.ts";
import { DIGEST_BYTES, writeDigest } from "#core/lib/digest.ts";
import type { Compression } from "./compression.ts";
import type { PackHeader } from "./pack-ref.ts";
import type { RecordList } from "./record-list.ts";

/** What goes into a pack: what fronts serve from it, and what only builders read. */
export interface PackContents {
  readonly served: RecordList;
  readonly kept: RecordList;
}

/** First bytes of a pack; its format follows. */
export const PACK_MAGIC: Uint8Array = Uint8Array.of(0x41, 0x4c, 0x4d);

/** What this release writes: 2 has large resources in pieces. It reads all before. */
export const PACK_FORMAT = 2;

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
  writer.byte(PACK_FORMAT);
  writeHeader(header, writer);
  const compressed = chunks.map((chunk) => compression.compress(chunk.bytes));
  writer.varint(chunks.length);
  for (const [index, chunk] of chunks.entries()) {
    writer.byte(chunk.served ? 1 : 0);
    writer.varint(chunk.bytes.length);
    writer.varint(compressed[index]?.length ?? 0);
  }
  writeRecords(contents, writer);
  for (const bytes of compressed) writer.bytes(bytes);
  return writer.take();
}

interface Chunk {
  readonly served: boolean;
  readonly bytes: Uint8Array;
}

function chunksOf({ served, kept }: PackContents): readonly Chunk[] {
  const total = served.content.length + kept.content.length;
  if (total > CHUNK_BYTES) return [...split(served, true), ...split(kept, false)];
  const bytes = new Uint8Array(total);
  bytes.set(served.content);
  bytes.set(kept.content, served.content.length);
  return [{ served: true, bytes }];
}

/** Cuts content between records. */
function split(records: RecordList, served: boolean): readonly Chunk[] {
  const { content, ends } = records;
  const chunks: Chunk[] = [];
  let start = 0;
  for (const end of ends) {
    if (end - start < CHUNK_BYTES && end < content.length) continue;
    chunks.push({ served, bytes: content.subarray(start, end) });
    start = end;
  }
  return chunks;
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

function writeRecords({ served, kept }: PackContents, writer: ByteWriter): void {
  const digests = [...served.digests, ...kept.digests];
  const ends = [...served.ends, ...kept.ends.map((end) => served.content.length + end)];
  const order = sortedOrder(digests);
  writer.varint(digests.length);
  const { buffer, offset } = writer.claim(DIGEST_BYTES * digests.length);
  for (const [place, index] of order.entries()) writeDigest(digests[index] as string, buffer, offset + DIGEST_BYTES * place);
  for (const index of order) {
    const start = index === 0 ? 0 : (ends[index - 1] as number);
    writer.varint(start);
    writer.varint((ends[index] as number) - start);
  }
}

/** Indexes of digests in their order; compared by their first 48 bits, and by the rest in the one case in a thousand million that needs it. */
function sortedOrder(digests: readonly string[]): Uint32Array {
  const starts = Float64Array.from(digests, (digest) => Number.parseInt(digest.slice(0, 12), 16));
  const order = Uint32Array.from(digests, (_, index) => index);
  return order.sort((a, b) => (starts[a] as number) - (starts[b] as number) || compareText(digests[a] as string, digests[b] as string));
}
