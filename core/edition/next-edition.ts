import { compareObjectKeys, formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { emptyTrie, visit } from "#core/lib/trie.ts";
import type { Directory } from "#core/node/directory.ts";
import type { Rules } from "#core/node/rules.ts";
import { directoryTree } from "./directory.ts";
import type { Documents } from "./document.ts";
import { type Cause, type Edition, type EditionContents, type EditionFacts, FORMAT } from "./edition.ts";
import { editionId } from "./edition-record.ts";
import type { Layer } from "./layer.ts";
import { rulesTree } from "./rules.ts";
import { changeTree, type Named, type Tree, treeDigest } from "./tree.ts";

/** What a build hands over. */
export interface EditionParts {
  /** By {@link formatObjectKey}; made with `documentList`, over the previous edition's. */
  readonly inventory: Documents;
  /** By layer key. */
  readonly layers: ReadonlyMap<string, Layer>;
  readonly directory: Directory;
  readonly rules: Rules;
  /** By a name that is the caller's own. */
  readonly census: Documents;
  /** Made with `diagnosticDocuments`, over the previous edition's. */
  readonly diagnostics: Documents;
  readonly cause: readonly ObjectKey[];
  readonly builder: string;
}

/** The edition after `previous`; `previous` itself if its contents are the same. */
export function nextEdition(previous: Edition | undefined, parts: EditionParts): Edition {
  const contents = {
    inventory: parts.inventory,
    layers: layersTree(parts.layers, previous?.layers),
    directory: directoryTree(parts.directory, previous?.directory),
    rules: rulesTree(parts.rules, previous?.rules),
    census: parts.census,
    diagnostics: parts.diagnostics,
  };
  return editionOf(contents, parts, previous);
}

/** What a build hands over that knows what it changed. */
export interface EditionChanges extends Pick<EditionParts, "inventory" | "cause" | "builder"> {
  /** Layers that are others than before, by key. */
  readonly layers: ReadonlyMap<string, Layer>;
  readonly diagnostics: EditionParts["diagnostics"];
}

/** The edition after `previous` with some layers and objects changed, and nothing else: {@link nextEdition} without looking at all that stayed. */
export function changedEdition(previous: Edition, changes: EditionChanges): Edition {
  const { inventory, diagnostics } = changes;
  const { directory, rules, census } = previous;
  return editionOf({ inventory, layers: changeTree(previous.layers, changes.layers), directory, rules, census, diagnostics }, changes, previous);
}

function editionOf(contents: EditionContents, { cause, builder }: Pick<EditionParts, "cause" | "builder">, previous: Edition | undefined): Edition {
  if (previous !== undefined && sameContents(previous, contents)) return previous;
  const facts: EditionFacts = {
    format: FORMAT,
    generation: (previous?.generation ?? 0) + 1,
    ...(previous && { parent: previous.id }),
    cause: causeOf(cause),
    builder,
  };
  return { id: editionId(facts, contents), ...facts, ...contents };
}

const CAUSES_KEPT = 16;

function causeOf(keys: readonly ObjectKey[]): Cause {
  const first: ObjectKey[] = [];
  for (const key of keys) {
    if (first.length === CAUSES_KEPT && compareObjectKeys(key, first[CAUSES_KEPT - 1] as ObjectKey) > 0) continue;
    const place = first.findIndex((other) => compareObjectKeys(key, other) < 0);
    first.splice(place < 0 ? first.length : place, 0, key);
    if (first.length > CAUSES_KEPT) first.pop();
  }
  return { total: keys.length, keys: first.map(formatObjectKey) };
}

function layersTree(layers: ReadonlyMap<string, Layer>, previous: Tree<Layer> | undefined): Tree<Layer> {
  const tree = previous ?? emptyTrie<Layer>();
  const changes = new Map<string, Layer | undefined>(layers);
  visit(tree, (key) => {
    if (!layers.has(key)) changes.set(key, undefined);
  });
  return changeTree(tree, changes);
}

function sameContents(a: EditionContents, b: EditionContents): boolean {
  return (
    sameTree(a.inventory, b.inventory) &&
    sameTree(a.layers, b.layers) &&
    sameTree(a.directory, b.directory) &&
    sameTree(a.rules, b.rules) &&
    sameTree(a.census, b.census) &&
    sameTree(a.diagnostics, b.diagnostics)
  );
}

function sameTree<V extends Named>(a: Tree<V>, b: Tree<V>): boolean {
  return a === b || treeDigest(a) === treeDigest(b);
}
