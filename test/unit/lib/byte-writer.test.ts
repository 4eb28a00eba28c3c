import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ByteReader } from "#core/lib/byte-reader.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";

test("what is written is read back, beyond the first capacity too", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.maxSafeNat(), fc.uint8Array())), (parts) => {
      const writer = new ByteWriter(4);
      for (const [text, number, bytes] of parts) {
        writer.text(text);
        writer.varint(number);
        writer.varint(bytes.length);
        writer.bytes(bytes);
      }
      const reader = new ByteReader(writer.take());
      for (const part of parts) assert.deepEqual([reader.text(), reader.varint(), reader.bytes(reader.varint())], part);
      assert.ok(reader.done);
    }),
  );
});

test("bytes that end too early are damage", () => {
  const writer = new ByteWriter();
  writer.text("text");
  assert.throws(() => new ByteReader(writer.take().subarray(0, 3)).text(), RangeError);
  assert.throws(() => new ByteReader(new Uint8Array()).varint(), RangeError);
});
