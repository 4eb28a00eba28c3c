import type { Documents } from "#core/edition/document.ts";
import { documentList } from "#core/edition/document-list.ts";
import { compareText } from "#core/lib/compare.ts";
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
  return census.flatMap(({ node, dialect }) => {
    const facts = findFacts(node, directory, dialect);
    return "error" in facts ? [] : [facts];
  });
}

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
