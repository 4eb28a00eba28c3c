import { change, emptyTrie, lookUp, type TrieNode } from "#core/lib/trie.ts";
import { diffLayers } from "./diff.ts";
import type { Edition } from "./edition.ts";
import { ABSENT, StoredEntry } from "./entry.ts";
import type { Resource } from "./resource.ts";
import type { Entry } from "./view.ts";

/** Resources by digest, each as often as layers have it. */
type Index = TrieNode<{ readonly resource: Resource; readonly count: number }>;

interface Counted {
  readonly edition: Edition;
  readonly index: Index;
}

/**
 * Resources of an edition that were made in this process, by digest. They are counted when somebody first asks, from the last edition for which somebody did on:
 * a process that only publishes never does.
 */
export class FreshResources {
  readonly #edition: Edition;
  #counted: Counted | undefined;

  private constructor(edition: Edition, counted: Counted | undefined) {
    this.#edition = edition;
    this.#counted = counted;
  }

  /** Of an edition that was built here, at least in parts. */
  static built(edition: Edition, previous: FreshResources | undefined): FreshResources {
    return new FreshResources(edition, previous === undefined ? undefined : previous.#counted);
  }

  /** Of an edition that was read from a store: what it has in common with one that was built here. */
  static read(edition: Edition, previous: FreshResources | undefined): FreshResources {
    if (previous === undefined || previous.#isEmpty) return new FreshResources(edition, { edition, index: emptyTrie() });
    return FreshResources.built(edition, previous);
  }

  find(digest: string): Resource | undefined {
    this.#counted = this.#isCounted ? this.#counted : { edition: this.#edition, index: count(this.#edition, this.#counted) };
    return this.#counted && lookUp(this.#counted.index, digest)?.resource;
  }

  get #isCounted(): boolean {
    return this.#counted?.edition === this.#edition;
  }

  get #isEmpty(): boolean {
    return this.#isCounted && this.#counted?.index.size === 0;
  }
}

/** The index of an edition; over that of an earlier one the cost follows the difference. */
function count(edition: Edition, base: Counted | undefined): Index {
  const counts = new Map<string, { readonly resource: Resource; readonly count: number } | undefined>();
  const add = (entry: Entry | undefined, count: number): void => {
    if (entry === undefined || entry === ABSENT || entry instanceof StoredEntry) return;
    const known = counts.has(entry.digest) ? counts.get(entry.digest) : base && lookUp(base.index, entry.digest);
    const total = (known?.count ?? 0) + count;
    counts.set(entry.digest, total > 0 ? { resource: known?.resource ?? (entry as Resource), count: total } : undefined);
  };
  for (const layer of diffLayers(base?.edition, edition)) {
    for (const { before, after } of layer.resources) {
      add(after, 1);
      add(before, -1);
    }
  }
  return change(base?.index ?? emptyTrie(), counts);
}
