import { diagnosticDocuments } from "#core/edition/diagnostics.ts";
import type { Edition } from "#core/edition/edition.ts";
import { type Layer, makeLayer } from "#core/edition/layer.ts";
import { nextEdition } from "#core/edition/next-edition.ts";
import { sealSecrets } from "#core/edition/seal.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import { lookUp } from "#core/lib/trie.ts";
import { type Analysis, analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import { resolveDirectory } from "#core/model/resolve/directory.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Directory } from "#core/node/directory.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import { recordedAllocations, withAllocations } from "./allocations.ts";
import { type CensusNode, censusDocuments, censusFacts } from "./census.ts";
import { type Compilation, compile } from "./compile.ts";
import { changedKeys, inventoryDocuments } from "./inventory-documents.ts";

/** What a build is made of. Keep the identity of parts that did not change: it is how a build knows. */
export interface BuildInput {
  readonly inventory: Inventory;
  /** Without allocations: those are the build's own. */
  readonly options: ResolveOptions;
  /** Gives hosts of ServiceEntries that have no address a virtual one. */
  readonly allocate: boolean;
  readonly census: readonly CensusNode[];
  /** What the sources' admission has to say of their objects. */
  readonly admission?: readonly Diagnostic[];
  /** Seals secrets; without it none is published. */
  readonly sealer?: Sealer | undefined;
  /** Who builds: name and version of a program. */
  readonly builder: string;
}

/** One state of the mesh, compiled. What the next build remembers of it. */
export interface Build {
  readonly input: BuildInput;
  readonly mesh: ResolvedMesh;
  readonly directory: Directory;
  readonly compilation: Compilation;
  readonly layers: ReadonlyMap<string, Layer>;
  readonly edition: Edition;
  readonly analysis: Analysis;
  /** Of the mesh and of its layers: what came to light after admission. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles a state of the mesh into the edition after `head`, the newest that is published (undefined: there is none). With `previous`, an earlier build of
 * this process, only what changed is made anew. An edition that would equal `head` is `head`.
 */
export function build(input: BuildInput, head: Edition | undefined, previous?: Build): Build {
  const options = allocating(input, head, previous);
  const mesh = resolveMesh(input.inventory, options, previous?.mesh);
  const directory = resolveDirectory(mesh);
  const compilation = compile(mesh, censusFacts(input.census, directory));
  const { layers, diagnostics: sealing } = layersOf(compilation, input.sealer, head, previous);
  const analysis = analyzeMesh(mesh, previous?.analysis);
  const diagnostics = joined(mesh.diagnostics, analysis.diagnostics, compilation.diagnostics, sealing);
  const edition = nextEdition(head, {
    inventory: inventoryDocuments(input.inventory, options.allocations, input.sealer, head?.inventory),
    layers,
    directory,
    rules: compilation.rules,
    census: censusDocuments(input.census, head?.census),
    diagnostics: diagnosticDocuments(joined(input.admission ?? NONE, diagnostics), head?.diagnostics),
    cause: changedKeys(previous?.input.inventory, input.inventory),
    builder: input.builder,
  });
  return { input, mesh, directory, compilation, layers, edition, analysis, diagnostics };
}

const NONE: readonly Diagnostic[] = [];

/** One list of several, the same one for the same lists. */
const joined = memoize((...lists: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] => lists.flat());

/** The options that a mesh is resolved with; the same value as before if they are the same. */
function allocating({ inventory, options, allocate }: BuildInput, head: Edition | undefined, previous: Build | undefined): ResolveOptions {
  if (!allocate) return options;
  const recorded = previous?.mesh.options.allocations ?? recordedAllocations(head?.inventory);
  const base = previous?.input.options === options ? previous.mesh.options : options;
  return withAllocations(base, inventory, recorded);
}

function layersOf(
  { layers }: Compilation,
  sealer: Sealer | undefined,
  head: Edition | undefined,
  previous: Build | undefined,
): { readonly layers: ReadonlyMap<string, Layer>; readonly diagnostics: readonly Diagnostic[] } {
  const made = new Map<string, Layer>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, { contents }] of layers) {
    const sealed = sealSecrets(contents.resources, sealer);
    diagnostics.push(...sealed.diagnostics);
    const before = previous?.layers.get(key) ?? (head && lookUp(head.layers, key));
    made.set(key, makeLayer({ ...contents, resources: sealed.resources }, before));
  }
  return { layers: made, diagnostics: diagnostics.length === 0 ? NONE : diagnostics };
}
