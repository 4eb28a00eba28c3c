import { hash } from "node:crypto";

/** Bytes of a digest in its stored form. */
export const DIGEST_BYTES = 20;

/**
 * Names content: the first 160 bits of its SHA-256 as 40 hexadecimal digits (git's length: collisions are out of reach of chance and, at 2^80, of effort).
 * Text counts as its UTF-8 bytes. The one place in the core that uses a builtin of Node.
 */
export function digestOf(content: string | Uint8Array): string {
  return hash("sha256", content, "hex").slice(0, 2 * DIGEST_BYTES);
}

/** The whole SHA-256 in hexadecimal, for what leaves the process and comes back (packs). */
export function checksumOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Writes a digest's 20 bytes at `offset`. */
export function writeDigest(digest: string, target: Uint8Array, offset: number): void {
  for (let index = 0; index < DIGEST_BYTES; index++) {
    target[offset + index] = (nibble(digest.charCodeAt(2 * index)) << 4) | nibble(digest.charCodeAt(2 * index + 1));
  }
}

/** The inverse of {@link writeDigest}. */
export function readDigest(source: Uint8Array, offset: number): string {
  let text = "";
  for (let index = offset; index < offset + DIGEST_BYTES; index++) text += HEX[source[index] ?? 0];
  return text;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function nibble(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
