import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type OpenPack, openPack } from "#core/edition/open-pack.ts";
import { encodePack, type PackContents } from "#core/edition/pack.ts";
import { RecordList } from "#core/edition/record-list.ts";
import { Shelf } from "#core/edition/shelf.ts";
import { checksumOf, digestOf } from "#core/lib/digest.ts";
import { brotli } from "#functions/io/compression.ts";

const REF = { name: "0000000003-abcdef", checksum: checksumOf(new Uint8Array()), size: 12 };
const HEADER = { edition: digestOf("edition"), generation: 3, packs: [REF, { ...REF, name: "0000000002-012345", size: 70_000 }] };

describe("pack", () => {
  test("gives back its header and each record", () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 60 });
    fc.assert(
      fc.property(contents, contents, (served, kept) => {
        const pack = packOf({ served: recordsOf(served), kept: recordsOf(kept) });
        assert.deepEqual(pack.header, HEADER);
        for (const bytes of [...served, ...kept]) assert.deepEqual(pack.read(digestOf(bytes)), bytes);
        assert.equal(pack.read(digestOf("nothing of the kind")), undefined);
      }),
      { numRuns: 20 },
    );
  });

  test("expands only what is asked for", () => {
    const big = Array.from({ length: 10 }, (_, index) => new Uint8Array(40_000).fill(index));
    let expanded = 0;
    const expand = (bytes: Uint8Array): Uint8Array => {
      expanded++;
      return brotli.expand(bytes);
    };
    const bytes = encodePack(HEADER, { served: recordsOf(big.slice(0, 5)), kept: recordsOf(big.slice(5)) }, brotli);
    const pack = openPack(REF, bytes, { ...brotli, expand });
    assert.equal(expanded, 0);
    pack.read(digestOf(big[0] as Uint8Array));
    pack.read(digestOf(big[1] as Uint8Array));
    assert.equal(expanded, 1);
    pack.read(digestOf(big[9] as Uint8Array));
    assert.equal(expanded, 2);
  });

  test("of another format is refused", () => {
    const bytes = encodePack(HEADER, { served: recordsOf([]), kept: recordsOf([]) }, brotli);
    assert.throws(() => openPack(REF, bytes.with(3, 9), brotli), /format/);
  });
});

describe("shelf", () => {
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  test("finds records in all packs of the root, and in those before as long as they are held", () => {
    const shelf = new Shelf(undefined);
    const first = packOf({ served: recordsOf([text("a")]), kept: recordsOf([]) });
    const second = packOf({ served: recordsOf([text("b")]), kept: recordsOf([]) });
    shelf.advance([first]);
    shelf.advance([second]);
    assert.deepEqual(shelf.read(digestOf("b")), text("b"));
    assert.deepEqual(shelf.read(digestOf("a")), text("a"));
    assert.throws(() => shelf.read(digestOf("c")), /no pack/);
    assert.deepEqual(first.header, second.header);
  });
});

function recordsOf(contents: readonly Uint8Array[]): RecordList {
  const records = new RecordList();
  for (const bytes of contents) records.add(digestOf(bytes), (writer) => writer.bytes(bytes));
  return records;
}

function packOf(contents: PackContents): OpenPack {
  return openPack(REF, encodePack(HEADER, contents, brotli), brotli);
}
