import { diagnosticDocuments } from "#core/edition/diagnostics.ts";
import type { Edition } from "#core/edition/edition.ts";
import { changeLayer, type Layer, makeLayer } from "#core/edition/layer.ts";
import { changedEdition, nextEdition } from "#core/edition/next-edition.ts";
import { scopeReadsIn } from "#core/edition/rules.ts";
import { sealSecrets } from "#core/edition/seal.ts";
import type { Sealer } from "#core/edition/sealer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { joined } from "#core/lib/joined.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { Analysis } from "#core/model/resolve/analyze-mesh.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import type { Directory } from "#core/node/directory.ts";
import type { ScopeReads } from "#core/node/rules.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import { acceptedIn, isRefused, scopeOfLayer } from "./accepted.ts";
import { advanceEndpoints } from "./advance.ts";
import { recordedAllocations, withAllocations } from "./allocations.ts";
import { analyze } from "./analyze.ts";
import { type CensusNode, censusDocuments, censusFacts } from "./census.ts";
import { type Compilation, compile } from "./compile.ts";
import { keepLayers } from "./failed-layers.ts";
import { changedKeys, inventoryDocuments, storedChanges } from "./inventory-documents.ts";
import type { Renderers } from "./renderers.ts";

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
  readonly analysis: Analysis | undefined;
  /** Of the mesh and of its layers: what came to light after admission. */
  readonly diagnostics: readonly Diagnostic[];
  /** What was thrown while parts of it were made; those parts are as they were before. Each has a Diagnostic; this is for the log. */
  readonly faults: readonly unknown[];
}

/**
 * Compiles a state of the mesh into the edition after `head`, the newest that is published (undefined: there is none). With `previous`, an earlier build of
 * this process, only what changed is made anew. An edition that would equal `head` is `head`.
 */
export function build(input: BuildInput, head: Edition | undefined, previous?: Build, renderers?: Renderers): Build {
  const options = allocating(input, head, previous);
  const mesh = resolveMesh(input.inventory, options, previous?.mesh);
  const directory = resolveDirectory(mesh);
  const advanced = previous && previous.edition === head ? advance(previous, { input, mesh, directory }) : undefined;
  if (advanced !== undefined) return advanced;
  const compilation = compile(mesh, censusFacts(input.census, directory), {
    knownReads: (key) => readsBefore(key, head, previous),
    renderers,
    previous: previous?.compilation,
  });
  const { layers, diagnostics: unpublished } = layersOf(compilation, {
    sealer: input.sealer,
    previous,
    before: (key) => layerBefore(key, head, previous),
  });
  const analysis = analyze(mesh, previous?.analysis);
  const diagnostics = joined(mesh.diagnostics, analysis.diagnostics, compilation.diagnostics, unpublished);
  const inventory = inventoryDocuments(input.inventory, options.allocations, input.sealer, head?.inventory);
  const edition = nextEdition(head, {
    inventory,
    layers,
    directory,
    rules: compilation.rules,
    census: censusDocuments(input.census, head?.census),
    diagnostics: diagnosticDocuments(joined(input.admission ?? NONE, diagnostics), head?.diagnostics),
    cause: previous === undefined ? storedChanges(head?.inventory, inventory) : changedKeys(previous.input.inventory, input.inventory),
    builder: input.builder,
  });
  const faults = [...new Set([...compilation.failed.values()].map(({ fault }) => fault)), ...analysis.faults];
  return { input, mesh, directory, compilation, layers, edition, analysis: analysis.analysis, diagnostics, faults };
}

/** The build after `previous` where nothing but endpoints changed: what they are not read by is kept without a look. */
function advance(previous: Build, now: Pick<Build, "input" | "mesh" | "directory">): Build | undefined {
  const { input, mesh, directory } = now;
  const known = previous.input;
  if (input.census !== known.census || input.sealer !== known.sealer || input.builder !== known.builder) return undefined;
  if (directory.entries !== previous.directory.entries) return undefined;
  const step = advanceEndpoints(previous.compilation, mesh);
  if (step === undefined || step.touched.some(isRefused)) return undefined;
  const analysis = analyze(mesh, previous.analysis);
  const said = analysis.diagnostics === previous.analysis?.diagnostics && analysis.faults.length === 0;
  if (!said || input.admission !== known.admission) return undefined;
  const changed = new Map<string, Layer>();
  for (const [key, contents] of step.changes) changed.set(key, changeLayer(previous.layers.get(key) as Layer, contents));
  const edition = changedEdition(previous.edition, {
    inventory: inventoryDocuments(input.inventory, mesh.options.allocations, input.sealer, previous.edition.inventory),
    layers: changed,
    diagnostics: previous.edition.diagnostics,
    cause: changedKeys(known.inventory, input.inventory),
    builder: input.builder,
  });
  return {
    ...previous,
    ...now,
    compilation: step.compilation,
    layers: new Map([...previous.layers, ...changed]),
    edition,
    analysis: analysis.analysis,
    faults: [],
  };
}

const NONE: readonly Diagnostic[] = [];

/** The options that a mesh is resolved with; the same value as before if they are the same. */
function allocating({ inventory, options, allocate }: BuildInput, head: Edition | undefined, previous: Build | undefined): ResolveOptions {
  if (!allocate) return options;
  const recorded = previous?.mesh.options.allocations ?? recordedAllocations(head?.inventory);
  const base = previous?.input.options === options ? previous.mesh.options : options;
  return withAllocations(base, inventory, recorded);
}

function layerBefore(key: string, head: Edition | undefined, previous: Build | undefined): Layer | undefined {
  return previous?.layers.get(key) ?? (head && lookUp(head.layers, key));
}

function readsBefore(key: string, head: Edition | undefined, previous: Build | undefined): ScopeReads | undefined {
  return previous?.compilation.rules.scopeReads[key] ?? (head && scopeReadsIn(head.rules, key));
}

interface LayerSources {
  readonly sealer: Sealer | undefined;
  readonly previous: Build | undefined;
  readonly before: (key: string) => Layer | undefined;
}

/** The layers of a compilation as they are published, those of before that could not be made anew among them, and what had to be left out. */
function layersOf({ layers, failed }: Compilation, { sealer, previous, before }: LayerSources): Pick<Build, "layers" | "diagnostics"> {
  const kept = keepLayers(failed, before);
  const made = new Map<string, Layer>(kept.layers);
  const diagnostics: Diagnostic[] = [...kept.diagnostics];
  let sibling: Layer | undefined;
  for (const [key, { contents, placed }] of layers) {
    const {
      resources,
      diagnostics: refusals,
      hasSecrets,
    } = acceptedIn(scopeOfLayer(placed), contents.resources, previous?.compilation.layers.get(key)?.contents.resources);
    const sealed = hasSecrets ? sealSecrets(resources, sealer) : { resources, diagnostics: NONE };
    diagnostics.push(...refusals, ...sealed.diagnostics);
    // Scopes have most in common: one is made of another by what differs.
    const layer = makeLayer({ ...contents, resources: sealed.resources }, before(key) ?? (placed.kind === "scope" ? sibling : undefined));
    made.set(key, layer);
    if (placed.kind === "scope") sibling = layer;
  }
  return { layers: made, diagnostics: diagnostics.length === 0 ? NONE : diagnostics };
}
