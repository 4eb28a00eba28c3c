import assert from "node:assert/strict";
import { test } from "node:test";
import { checksumOf, DIGEST_BYTES, digestOf, readDigest, writeDigest } from "#core/lib/digest.ts";

test("a digest is the start of the content's SHA-256, for text that of its UTF-8", () => {
  assert.equal(digestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a3");
  assert.equal(digestOf(new TextEncoder().encode("ä")), digestOf("ä"));
});

test("a checksum is the whole SHA-256", () => {
  assert.equal(checksumOf(new TextEncoder().encode("abc")), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
});

test("digests pass through their bytes", () => {
  const bytes = new Uint8Array(DIGEST_BYTES + 3);
  writeDigest(digestOf("abc"), bytes, 3);
  assert.deepEqual([...bytes.subarray(3, 6)], [0xba, 0x78, 0x16]);
  assert.equal(readDigest(bytes, 3), digestOf("abc"));
});
