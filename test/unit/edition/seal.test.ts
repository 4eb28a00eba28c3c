import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { writeEntry } from "#core/edition/entry.ts";
import { sealSecrets } from "#core/edition/seal.ts";
import { openRecord } from "#core/edition/sealer.ts";
import type { Entry } from "#core/edition/view.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { sealerOf } from "#functions/io/seal.ts";
import { resource } from "./sample.ts";

const KEY = new Uint8Array(32).fill(7);
const SECRET = resource("secrets", "kubernetes://shop", "-----BEGIN PRIVATE KEY-----");

describe("sealing", () => {
  test("secrets are stored under a keyed digest, and open with the key alone", () => {
    const [sealed] = sealSecrets([SECRET], sealerOf(KEY)).resources;
    assert.ok(sealed);
    assert.notEqual(sealed.digest, SECRET.digest);
    const record = recordOf(sealed);
    assert.ok(!Buffer.from(record).includes("PRIVATE"));
    assert.ok(Buffer.from(openRecord(record, sealed.digest, sealerOf(KEY)) ?? []).includes("PRIVATE"));
    assert.equal(openRecord(record, sealed.digest, sealerOf(new Uint8Array(32))), undefined);
    assert.equal(openRecord(record, sealed.digest, undefined), undefined);
  });

  test("equal secrets seal alike, so that a rebuild changes nothing", () => {
    const again = resource("secrets", "kubernetes://shop", "-----BEGIN PRIVATE KEY-----");
    const seal = (secret: typeof SECRET) => recordOf(sealSecrets([secret], sealerOf(KEY)).resources[0] as typeof SECRET);
    assert.deepEqual(seal(SECRET), seal(again));
  });

  test("sealed content opens under no other name, and not when it was changed", () => {
    const sealer = sealerOf(KEY);
    const content = new TextEncoder().encode("content");
    const digest = sealer.digest(content);
    const sealed = sealer.seal(content, digest);
    assert.deepEqual(new Uint8Array(sealer.open(sealed, digest) ?? []), content);
    assert.equal(sealer.open(sealed, sealer.digest(new Uint8Array(1))), undefined);
    assert.equal(
      sealer.open(
        sealed.map((byte, index) => (index === 14 ? byte ^ 1 : byte)),
        digest,
      ),
      undefined,
    );
    assert.equal(sealer.open(new Uint8Array(5), digest), undefined);
  });

  test("without a key secrets are left out, each with a diagnostic", () => {
    const other = resource("clusters", "a");
    const { resources, diagnostics } = sealSecrets([SECRET, other], undefined);
    assert.deepEqual(resources, [other]);
    assert.deepEqual(
      diagnostics.map(({ code, key }) => [code, key.name]),
      [["ALM0601", "kubernetes://shop"]],
    );
  });

  test("a secret that nobody sealed is never stored", () => {
    assert.throws(() => recordOf(SECRET), /sealed/);
  });
});

function recordOf(entry: Entry): Uint8Array {
  const writer = new ByteWriter();
  writeEntry(entry, writer);
  return writer.take();
}
