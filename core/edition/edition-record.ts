import type { ByteWriter } from "#core/lib/byte-writer.ts";
import { canonicalText, parseCanonical } from "#core/lib/canonical.ts";
import { digestOf } from "#core/lib/digest.ts";
import { type Document, type Documents, StoredDocument } from "./document.ts";
import type { Edition, EditionContents, EditionFacts } from "./edition.ts";
import { type Layer, storedLayer } from "./layer.ts";
import type { Records } from "./records.ts";
import { storedTree, type TreeRef, treeRef } from "./tree.ts";

/** The stored form of an edition: JSON of its facts, and of the digest and size of each tree. */
type EditionRecord = EditionFacts & { readonly [K in keyof EditionContents]: TreeRef };

/** Early editions of this format say nothing of their objects. */
const NONE: TreeRef = { digest: "", size: 0 };

/** Writes the record by which a pack names the edition that it publishes. */
export function writeEdition(edition: Edition, writer: ByteWriter): void {
  writer.utf8(editionText(edition, edition));
}

/** Names an edition: the digest of its facts and of the trees that it holds. */
export function editionId(facts: EditionFacts, contents: EditionContents): string {
  return digestOf(editionText(facts, contents));
}

/** An edition of which nothing is read yet but its record. What `previous` has read and still holds is taken from there. */
export function storedEdition(id: string, records: Records, previous?: Edition): Edition {
  if (previous?.id === id) return previous;
  const record = parseCanonical(new TextDecoder().decode(records.read(id))) as EditionRecord;
  const { inventory, layers, directory, rules, census, diagnostics = NONE, ...facts } = record;
  const documents = <T>(ref: TreeRef, before: Documents<T> | undefined): Documents<T> =>
    storedTree<Document<T>>(ref, { records, entry: (_, digest) => new StoredDocument<T>(digest, records) }, before);
  const layerOf = (_: string, digest: string, before: Layer | undefined): Layer => storedLayer(digest, records, before);
  return {
    id,
    ...facts,
    inventory: documents(inventory, previous?.inventory),
    layers: storedTree(layers, { records, entry: layerOf }, previous?.layers),
    directory: documents(directory, previous?.directory),
    rules: documents(rules, previous?.rules),
    census: documents(census, previous?.census),
    diagnostics: documents(diagnostics, previous?.diagnostics),
  };
}

function editionText(facts: EditionFacts, contents: EditionContents): string {
  const record: EditionRecord = {
    format: facts.format,
    generation: facts.generation,
    ...(facts.parent !== undefined && { parent: facts.parent }),
    cause: facts.cause,
    builder: facts.builder,
    inventory: treeRef(contents.inventory),
    layers: treeRef(contents.layers),
    directory: treeRef(contents.directory),
    rules: treeRef(contents.rules),
    census: treeRef(contents.census),
    diagnostics: treeRef(contents.diagnostics),
  };
  return canonicalText(record);
}
