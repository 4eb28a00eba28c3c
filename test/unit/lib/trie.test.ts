import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { change, contentOf, isUnread, LEAF_ENTRIES, lazyTrie, lookUp, type TrieNode, trieOf, visit } from "#core/lib/trie.ts";
import { diffTries } from "#core/lib/trie-diff.ts";

const edits = fc.array(
  fc.tuple(
    fc.nat(300).map((n) => `name-${n}`),
    fc.option(fc.nat(3), { nil: undefined }),
  ),
  { maxLength: 600 },
);

describe("trie", () => {
  test("has one shape for equal contents, whatever their history", () => {
    fc.assert(
      fc.property(edits, fc.nat(40), (history, step) => {
        const expected = new Map<string, number>();
        let trie = trieOf<number>(new Map());
        for (let start = 0; start < history.length; start += step + 1) trie = change(trie, new Map(history.slice(start, start + step + 1)));
        for (const [name, value] of history) value === undefined ? expected.delete(name) : expected.set(name, value);
        assert.deepEqual(shapeOf(trie), shapeOf(trieOf(expected)));
        assert.equal(trie.size, expected.size);
      }),
      { numRuns: 60 },
    );
  });

  test("finds what was put in, and nothing else", () => {
    const trie = trieOf(new Map(Array.from({ length: 1000 }, (_, index) => [`name-${index}`, index])));
    for (let index = 0; index < 1000; index++) assert.equal(lookUp(trie, `name-${index}`), index);
    assert.equal(lookUp(trie, "name-1000"), undefined);
  });

  test("keeps its leaves small and its identity when nothing changes", () => {
    const trie = trieOf(new Map(Array.from({ length: 5000 }, (_, index) => [`name-${index}`, index])));
    for (const size of leafSizes(trie)) assert.ok(size <= LEAF_ENTRIES);
    assert.equal(change(trie, new Map([["name-7", 7]])), trie);
    assert.equal(change(trie, new Map([["other", undefined]])), trie);
  });

  test("a change copies one path and shares the rest", () => {
    const before = trieOf(new Map(Array.from({ length: 5000 }, (_, index) => [`name-${index}`, index])));
    const after = change(before, new Map([["name-7", 8]]));
    const known = new Set(nodesOf(before));
    assert.ok(nodesOf(after).filter((node) => !known.has(node)).length <= 6);
  });
});

describe("difference of tries", () => {
  test("is exactly what differs", () => {
    fc.assert(
      fc.property(edits, edits, (first, second) => {
        const before = change(trieOf<number>(new Map()), new Map(first));
        const after = change(before, new Map(second));
        const found = new Map<string, readonly [number | undefined, number | undefined]>();
        diffTries(before, after, (name, old, next) => found.set(name, [old, next]));
        const names = new Set([...first, ...second].map(([name]) => name));
        for (const name of names) {
          const pair = [lookUp(before, name), lookUp(after, name)] as const;
          assert.deepEqual(found.get(name), pair[0] === pair[1] ? undefined : pair);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function shapeOf<V>(node: TrieNode<V>): unknown {
  const content = contentOf(node);
  return content.kind === "leaf" ? [content.names, content.values] : content.children.map(shapeOf);
}

function leafSizes<V>(node: TrieNode<V>): readonly number[] {
  const content = contentOf(node);
  return content.kind === "leaf" ? [content.names.length] : content.children.flatMap(leafSizes);
}

function nodesOf<V>(node: TrieNode<V>): readonly TrieNode<V>[] {
  const content = contentOf(node);
  return content.kind === "leaf" ? [node] : [node, ...content.children.flatMap(nodesOf)];
}

test("a map that nobody looks at is not made, and one that is changed is made once", () => {
  let made = 0;
  const lazy = lazyTrie(() => {
    made++;
    return new Map([["a", 1]]);
  });
  assert.equal(isUnread(lazy), true);
  assert.equal(made, 0);
  const changed = change(lazy, new Map([["b", 2]]));
  assert.deepEqual([lookUp(changed, "a"), lookUp(changed, "b"), lookUp(lazy, "b"), lazy.size, made], [1, 2, undefined, 1, 1]);
  assert.equal(isUnread(lazy), false);
});

test("visits every entry once", () => {
  const seen: string[] = [];
  visit(trieOf(new Map(Array.from({ length: 100 }, (_, index) => [`${index}`, index]))), (name) => seen.push(name));
  assert.equal(new Set(seen).size, 100);
  assert.equal(seen.length, 100);
});
