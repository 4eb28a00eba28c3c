import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { changeTree, type Named, storedTree, type Tree, treeDigest, treeRef, writeNode } from "#core/edition/tree.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { digestOf } from "#core/lib/digest.ts";
import { contentOf, emptyTrie, lookUp, trieOf } from "#core/lib/trie.ts";

const history = fc.array(
  fc.array(
    fc.tuple(
      fc.nat(200).map((n) => `name-${n}`),
      fc.option(fc.nat(5), { nil: undefined }),
    ),
    { maxLength: 80 },
  ),
  { maxLength: 12 },
);

describe("tree", () => {
  test("any history of edits gives the digest of building at once", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const contents = new Map<string, Named>();
        let tree = emptyTrie<Named>();
        for (const step of steps) {
          tree = changeTree(
            tree,
            step.map(([name, value]) => [name, entry(value)] as const),
          );
          treeDigest(tree);
          for (const [name, value] of step) value === undefined ? contents.delete(name) : contents.set(name, entry(value) as Named);
        }
        assert.equal(treeDigest(tree), treeDigest(trieOf(contents)));
      }),
      { numRuns: 60 },
    );
  });

  test("entries of equal digest keep the tree", () => {
    const tree = treeOf(100);
    assert.equal(changeTree(tree, [["name-3", entry(3)]]), tree);
    assert.notEqual(treeDigest(changeTree(tree, [["name-3", entry(4)]])), treeDigest(tree));
  });

  test("a stored tree is read node by node", () => {
    const tree = treeOf(2000);
    const { records, read } = recordsOf(tree);
    const stored = storedTree(treeRef(tree), { records, entry: named });
    assert.equal(read.length, 0);
    assert.equal(lookUp(stored, "name-77")?.digest, entry(77)?.digest);
    assert.ok(read.length < 8);
    assert.equal(treeDigest(changeTree(stored, [["name-77", entry(1)]])), treeDigest(changeTree(tree, [["name-77", entry(1)]])));
  });

  test("a tree that comes in place of another takes over what was read of it", () => {
    const tree = treeOf(2000);
    const first = storedTree(treeRef(tree), { records: recordsOf(tree).records, entry: named });
    for (let index = 0; index < 2000; index++) lookUp(first, `name-${index}`);
    const changed = changeTree(tree, [["name-77", entry(1)]]);
    const { records, read } = recordsOf(changed);
    const second = storedTree(treeRef(changed), { records, entry: named }, first);
    for (let index = 0; index < 2000; index++) if (index !== 77) assert.equal(lookUp(second, `name-${index}`), lookUp(first, `name-${index}`));
    assert.ok(read.length < 8);
  });
});

function entry(value: number | undefined): Named | undefined {
  return value === undefined ? undefined : { digest: digestOf(`${value}`) };
}

function named(_: string, digest: string): Named {
  return { digest };
}

function treeOf(count: number): Tree<Named> {
  return trieOf(new Map(Array.from({ length: count }, (_, index) => [`name-${index}`, entry(index) as Named])));
}

function recordsOf(tree: Tree<Named>) {
  const known = new Map<string, Uint8Array>();
  const store = (node: Tree<Named>): void => {
    const writer = new ByteWriter();
    writeNode(node, writer);
    known.set(treeDigest(node), writer.take());
    const content = contentOf(node);
    if (content.kind === "branch") content.children.forEach(store);
  };
  store(tree);
  const read: string[] = [];
  const find = (digest: string): Uint8Array => {
    read.push(digest);
    return known.get(digest) as Uint8Array;
  };
  return { records: { read: find, open: find }, read };
}
