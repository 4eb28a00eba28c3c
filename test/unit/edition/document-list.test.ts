import assert from "node:assert/strict";
import { test } from "node:test";
import { documentList } from "#core/edition/document-list.ts";
import { treeDigest } from "#core/edition/tree.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { lookUp } from "#core/lib/trie.ts";
import { sealerOf } from "#functions/io/seal.ts";

interface Item {
  readonly name: string;
  readonly text: string;
  readonly line?: number;
}
const FORM = { nameOf: (item: Item) => item.name, formOf: ({ name, text }: Item) => ({ name, text }) };
const A: Item = { name: "a", text: "1", line: 4 };
const B: Item = { name: "b", text: "2", line: 5 };

test("what is not stored of a value is not in its digest", () => {
  const before = documentList(FORM, [A, B]);
  assert.equal(documentList(FORM, [{ ...A, line: 7 }, B], before), before);
  assert.equal(lookUp(before, "a")?.value, A);
});

test("a list that follows another gives the tree of the list alone", () => {
  const first = documentList(FORM, [A, B]);
  const second = documentList(FORM, [B, { ...A, text: "3" }], first);
  const third = documentList(FORM, [B], second);
  assert.equal(treeDigest(third), treeDigest(documentList(FORM, [B])));
  assert.equal(treeDigest(documentList(FORM, [A, B], third)), treeDigest(first));
});

test("secrets are stored sealed, under a digest that tells nothing, and without a key not at all", () => {
  const secret = { ...FORM, isSecret: (item: Item) => item.name === "b" };
  const sealed = documentList({ ...secret, sealer: sealerOf(new Uint8Array(32)) }, [A, B]);
  const plain = documentList(FORM, [A, B]);
  assert.equal(lookUp(sealed, "a")?.digest, lookUp(plain, "a")?.digest);
  assert.notEqual(lookUp(sealed, "b")?.digest, lookUp(plain, "b")?.digest);
  const writer = new ByteWriter();
  lookUp(sealed, "b")?.write(writer);
  assert.ok(!Buffer.from(writer.view()).includes('"text"'));
  assert.equal(lookUp(documentList(secret, [A, B]), "b"), undefined);
});
