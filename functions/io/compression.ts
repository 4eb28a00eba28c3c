import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Compression } from "#core/edition/compression.ts";

/**
 * Brotli: of what Node has, the smallest for names and messages that resemble each other. Quick: some 300 MB/s. What is small is a change of few resources, mostly
 * digests, and there more effort saves one byte in ten and costs more than all else that a change does (0.4 ms instead of 0.06).
 */
export const brotli: Compression = {
  compress: (bytes) => plain(brotliCompressSync(bytes, { params: bytes.length <= SMALL ? paramsOf(1, 16, bytes) : paramsOf(2, 18, bytes) })),
  expand: (bytes) => plain(brotliDecompressSync(bytes)),
};

/** Up to here there is little for a better quality to find. */
const SMALL = 16 * 1024;

function paramsOf(quality: number, window: number, bytes: Uint8Array): Record<number, number> {
  return { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: window, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
}

/** The core knows bytes, not Node's Buffer, whose `slice` means another thing. */
function plain(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
