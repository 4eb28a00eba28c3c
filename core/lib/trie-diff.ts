import { compareText } from "./compare.ts";
import { contentOf, type TrieNode, visit } from "./trie.ts";

/** Told of each name whose value differs between two maps; undefined stands for no value. */
export type Difference<V> = (name: string, before: V | undefined, after: V | undefined) => void;

/**
 * Finds what differs between two maps. What they share, by identity or by digest, is not looked at: the cost follows the difference.
 * Values count as equal by identity; who knows better compares again.
 */
export function diffTries<V>(before: TrieNode<V>, after: TrieNode<V>, each: Difference<V>): void {
  if (sameNode(before, after)) return;
  const old = contentOf(before);
  const next = contentOf(after);
  if (old.kind === "branch" && next.kind === "branch") {
    for (let index = 0; index < old.children.length; index++)
      diffTries(old.children[index] as TrieNode<V>, next.children[index] as TrieNode<V>, each);
    return;
  }
  diffEntries(sortedEntries(before), sortedEntries(after), each);
}

/** Are two nodes one, without looking into them? */
export function sameNode<V>(a: TrieNode<V>, b: TrieNode<V>): boolean {
  return a === b || (a.digest !== "" && a.digest === b.digest);
}

type Entries<V> = readonly (readonly [name: string, value: V])[];

function sortedEntries<V>(node: TrieNode<V>): Entries<V> {
  const entries: [string, V][] = [];
  visit(node, (name, value) => entries.push([name, value]));
  return contentOf(node).kind === "leaf" ? entries : entries.sort((a, b) => compareText(a[0], b[0]));
}

function diffEntries<V>(before: Entries<V>, after: Entries<V>, each: Difference<V>): void {
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const order = compareEntries(before[left], after[right]);
    const old = order <= 0 ? before[left++] : undefined;
    const next = order >= 0 ? after[right++] : undefined;
    if (old?.[1] !== next?.[1]) each((old ?? next)?.[0] ?? "", old?.[1], next?.[1]);
  }
}

/** A list that is at its end comes last. */
function compareEntries<V>(a: Entries<V>[number] | undefined, b: Entries<V>[number] | undefined): number {
  if (a === undefined) return 1;
  return b === undefined ? -1 : compareText(a[0], b[0]);
}
