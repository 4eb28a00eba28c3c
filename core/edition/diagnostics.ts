import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { digestOf } from "#core/lib/digest.ts";
import { gathered } from "#core/lib/gathered.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { visit } from "#core/lib/trie.ts";
import type { Documents } from "./document.ts";
import { documentList } from "./document-list.ts";

/** What is wrong with the objects of an edition, as it is stored: without where they were read, which says nothing of what they are. */
export function diagnosticDocuments(diagnostics: readonly Diagnostic[], previous?: Documents): Documents {
  const form = { nameOf: (one: Diagnostic) => nameOf(one), formOf: ({ file, line, ...stored }: Diagnostic) => stored };
  return documentList(form, distinct(diagnostics), previous as Documents<Diagnostic> | undefined) as Documents;
}

/** The inverse of {@link diagnosticDocuments}, in no order. */
export function storedDiagnostics(documents: Documents): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  visit(documents, (_, { value }) => found.push(value as Diagnostic));
  return found;
}

/** Object, code and field don't tell two apart that differ in what they say. */
const nameOf = memoize(({ key, code, field, message }: Diagnostic): string => `${formatObjectKey(key)} ${code} ${field} ${digestOf(message)}`);

const namesOf = gathered((one: Diagnostic) => [nameOf(one)]);

/** Mostly nothing is said twice. */
const distinct = memoize((diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  new Set(namesOf(diagnostics)).size === diagnostics.length ? diagnostics : [...new Map(diagnostics.map((one) => [nameOf(one), one])).values()],
);
