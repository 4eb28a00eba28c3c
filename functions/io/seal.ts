import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { Sealer } from "#core/edition/sealer.ts";
import { DIGEST_BYTES } from "#core/lib/digest.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM under a key of 32 bytes; digests are HMAC-SHA-256. Each use has a key of its own, derived from the given one.
 * The nonce is derived from the keyed digest of the content, so it repeats only for the same content (a synthetic IV): equal secrets seal to equal bytes, and a
 * rebuild writes nothing. The digest is authenticated too, so no sealed content passes for another's.
 */
export function sealerOf(key: Uint8Array): Sealer {
  const cipherKey = mac(key, "almanac seal");
  const nameKey = mac(key, "almanac name");
  const nonceKey = mac(key, "almanac nonce");
  return {
    digest: (content) => mac(nameKey, content).subarray(0, DIGEST_BYTES).toString("hex"),
    seal: (content, digest) => {
      const nonce = mac(nonceKey, digest).subarray(0, NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(digest));
      return joined(nonce, cipher.update(content), cipher.final(), cipher.getAuthTag());
    },
    open: (sealed, digest) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, cipherKey, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(digest));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      try {
        return joined(decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final());
      } catch {
        return undefined;
      }
    },
  };
}

function mac(key: Uint8Array, content: Uint8Array | string): Buffer {
  return createHmac("sha256", key).update(content).digest();
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
