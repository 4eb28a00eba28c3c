import { createHash, hash } from "node:crypto";

/** Bytes of a digest in its stored form. */
export const DIGEST_BYTES = 20;

/**
 * Names content: the first 160 bits of its SHA-256 as 40 hexadecimal digits (git's length: collisions are out of reach of chance and, at 2^80, of effort).
 * Text counts as its UTF-8 bytes. The one place in the core that uses a builtin of Node.
 */
export function digestOf(content: string | Uint8Array): string {
  return shortened(hash("sha256", content, "hex"));
}

/** As {@link digestOf}, of content that is in two parts: long ones need not be put together. */
export function digestOfParts(head: Uint8Array, tail: Uint8Array): string {
  return shortened(createHash("sha256").update(head).update(tail).digest("hex"));
}

/** A copy: a slice would hold the whole text, and there are hundreds of thousands of digests. */
function shortened(hex: string): string {
  scratch.write(hex, "latin1");
  return scratch.toString("latin1", 0, 2 * DIGEST_BYTES);
}

const scratch = Buffer.alloc(64);

/** The whole SHA-256 in base64url, for what leaves the process and comes back (packs). */
export function checksumOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64url");
}

/** Writes a digest's 20 bytes at `offset`. */
export function writeDigest(digest: string, target: Uint8Array, offset: number): void {
  for (let index = 0; index < DIGEST_BYTES; index++) {
    const high = VALUES[digest.charCodeAt(2 * index)] as number;
    target[offset + index] = (high << 4) | (VALUES[digest.charCodeAt(2 * index + 1)] as number);
  }
}

/** The inverse of {@link writeDigest}. */
export function readDigest(source: Uint8Array, offset: number): string {
  scratch.set(source.subarray(offset, offset + DIGEST_BYTES));
  return scratch.toString("hex", 0, DIGEST_BYTES);
}

/** Of a hexadecimal digit, by character code. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);
