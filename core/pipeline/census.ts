import type { Documents } from "#core/edition/document.ts";
import { documentList } from "#core/edition/document-list.ts";
import { compareText } from "#core/lib/compare.ts";
import { equalValues } from "#core/lib/equality.ts";
import { memoize, memoizeMany } from "#core/lib/memo.ts";
import { steady } from "#core/lib/steady.ts";
import { visit } from "#core/lib/trie.ts";
import type { Directory } from "#core/node/directory.ts";
import type { Dialect, Facts } from "#core/node/facts.ts";
import { findFacts } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";

/** A node that editions are compiled for: what it said of itself when it asked. */
export interface CensusNode {
  readonly node: NodeMessage;
  /** Chosen by whoever asked for it; absent: as the node says. */
  readonly dialect?: Dialect;
}

/** The facts of a census, as a directory knows its nodes; those that can't be understood are passed over. */
export function censusFacts(census: readonly CensusNode[], directory: Directory): readonly Facts[] {
  return census.flatMap((asked) => factsOf(asked, directory));
}

const factsOf = memoizeMany((asked: CensusNode, directory: Directory): readonly Facts[] => {
  const facts = findFacts(asked.node, directory, asked.dialect);
  return "error" in facts ? [] : [steadyFacts(asked)(facts)];
});

/** As long as nothing about a node is another, it is where it was. */
const steadyFacts = memoize((_node: CensusNode) => steady<Facts>(equalValues));

/** A census as an edition stores it, by node id. */
export function censusDocuments(census: readonly CensusNode[], previous?: Documents): Documents {
  return documentList({ nameOf: ({ node }: CensusNode) => node.id }, census, previous as Documents<CensusNode> | undefined) as Documents;
}

/** The inverse of {@link censusDocuments}, sorted by node id. */
export function storedCensus(documents: Documents): readonly CensusNode[] {
  const found: CensusNode[] = [];
  visit(documents, (_, { value }) => found.push(value as CensusNode));
  return found.sort((a, b) => compareText(a.node.id, b.node.id));
}
