import type { Resource } from "#core/edition/resource.ts";
import { type Diagnostic, findingText } from "#core/lib/diagnostic.ts";
import { equalValues } from "#core/lib/equality.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Facts } from "#core/node/facts.ts";
import { layerKey, place, placeScope } from "#core/node/place.ts";
import type { PlacedLayer, Placement, ScopePlacement, VantagePlacement } from "#core/node/placement.ts";
import type { Reads, Rules, ScopeReads, Selectors } from "#core/node/rules.ts";
import { generalAssignments } from "./assignments.ts";
import { type Attempt, attempt, type Fault } from "./attempt.ts";
import type { PreparedScope } from "./compile-scope.ts";
import { readsKey } from "./reads.ts";
import type { RenderedLayer } from "./rendered-layer.ts";
import { RENDERERS, type Renderers } from "./renderers.ts";
import { selectorsOf } from "./rules-of.ts";
import { hidingObjects } from "./scope-context.ts";
import { assignmentItems, itemGroups, type VantageItem } from "./vantage-items.ts";

/** What a mesh is for a census: the rules that place its nodes, and the contents of every layer that any of them is served. */
export interface Compilation {
  readonly mesh: ResolvedMesh;
  readonly selectors: Selectors;
  readonly rules: Rules;
  readonly placements: ReadonlyMap<Facts, Placement>;
  readonly layers: ReadonlyMap<string, CompiledLayer>;
  /** Layers that could not be rendered, by key: whoever has them from before keeps them. */
  readonly failed: ReadonlyMap<string, FailedLayer>;
  /** What users should know of the layers' nodes. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CompiledLayer extends RenderedLayer {
  readonly placed: PlacedLayer;
  /** Vantage layers: what its resources are made from, so that an endpoint's change finds what to make anew. */
  readonly items: readonly VantageItem[];
  /** What was made of each item, in the same order. */
  readonly made: readonly (Resource | undefined)[];
}

/** A layer whose rendering threw, which only a bug can do. Layers of one scope that can't be rendered for one reason have one fault. */
export interface FailedLayer extends Fault {
  readonly placed: PlacedLayer;
}

export interface CompileOptions {
  /** What a scope read when it was last compiled, by key: where it can't be now, its nodes are placed as before. */
  readonly knownReads?: KnownReads | undefined;
  readonly renderers?: Renderers | undefined;
  /** What was compiled before: vantage layers that would come out the same are taken from there. */
  readonly previous?: Compilation | undefined;
}

type KnownReads = (scopeKey: string) => ScopeReads | undefined;

type Groups = ReadonlyMap<string, { readonly reads: Reads; readonly items: readonly VantageItem[] }>;

/**
 * Compiles a mesh for a census. Scopes first, since what their objects read decides which layers there are; then every node is placed, and each layer that
 * any of them is served is compiled once. A layer that can't be rendered stops no other.
 */
export function compile(
  mesh: ResolvedMesh,
  census: Iterable<Facts>,
  { knownReads = () => undefined, renderers = RENDERERS, previous }: CompileOptions = {},
): Compilation {
  const general = generalAssignments(mesh);
  const groups = itemGroups(assignmentItems(general));
  const selectors = unchanged(previous?.selectors, selectorsOf(mesh));
  const nodes = [...census];
  const scopes = prepareScopes(
    nodes.map((facts) => scopeAt(facts, selectors)),
    (placement) => renderers.prepareScope(mesh, placement, general),
  );
  const reads = { generalReads: [...groups.values()].map(({ reads }) => reads), scopeReads: readsOf(scopes, knownReads) };
  const rules = unchanged<Rules>(previous?.rules, { ...selectors, ...reads });
  const placements = new Map<Facts, Placement>();
  const wanted = new Map<string, PlacedLayer>();
  for (const facts of nodes) {
    const placement = placeAt(facts, rules);
    if (!("wanted" in placement)) placements.set(facts, placement);
    for (const one of "wanted" in placement ? [unprepared(placement.wanted)] : placement.layers) wanted.set(one.key, one);
  }
  const seenBefore = sameView(mesh, previous?.mesh) ? previous?.layers : undefined;
  const { layers, failed } = compileLayers(wanted.values(), { mesh, scopes, groups, renderers, seenBefore });
  return { mesh, selectors, rules, placements, layers, failed, diagnostics: distinct([...layers.values()].flatMap((layer) => layer.diagnostics)) };
}

function compileLayers(wanted: Iterable<PlacedLayer>, known: Known): Pick<Compilation, "layers" | "failed"> {
  const layers = new Map<string, CompiledLayer>();
  const failed = new Map<string, FailedLayer>();
  for (const placed of wanted) {
    const made = attempt(() => compileLayer(placed, known));
    if ("value" in made) layers.set(placed.key, made.value);
    else failed.set(placed.key, { placed, fault: made.fault });
  }
  return { layers, failed };
}

/** The value of before if nothing about it is another: then no node has to be placed anew. */
function unchanged<T>(before: T | undefined, now: T): T {
  return before !== undefined && equalValues(before, now) ? before : now;
}

const placeAt = memoize(place);
const scopeAt = memoize(placeScope);
const scopeKey = memoize((placement: ScopePlacement) => layerKey("scope", placement));

type Scopes = ReadonlyMap<string, Attempt<PreparedScope>>;

function prepareScopes(placements: readonly ScopePlacement[], prepare: (placement: ScopePlacement) => PreparedScope): Scopes {
  const scopes = new Map<string, Attempt<PreparedScope>>();
  for (const placement of placements) {
    const key = scopeKey(placement);
    if (!scopes.has(key))
      scopes.set(
        key,
        attempt(() => prepare(placement)),
      );
  }
  return scopes;
}

function readsOf(scopes: Scopes, known: KnownReads): Rules["scopeReads"] {
  return Object.fromEntries(
    [...scopes].flatMap(([key, scope]) => {
      const reads = "value" in scope ? scope.value.reads : known(key);
      return reads === undefined ? [] : [[key, reads]];
    }),
  );
}

/** The scope that a node waits for: nobody ever could prepare it. */
function unprepared(placement: ScopePlacement): PlacedLayer {
  return { kind: "scope", key: scopeKey(placement), placement };
}

interface Known {
  readonly mesh: ResolvedMesh;
  readonly scopes: Scopes;
  readonly groups: Groups;
  readonly renderers: Renderers;
  /** Layers of a compilation for which endpoints and gateways were the same. */
  readonly seenBefore: Compilation["layers"] | undefined;
}

function sameView(mesh: ResolvedMesh, before: ResolvedMesh | undefined): boolean {
  return (
    before?.endpoints === mesh.endpoints &&
    before.networkGateways === mesh.networkGateways &&
    hidingObjects(before.services) === hidingObjects(mesh.services)
  );
}

function compileLayer(placed: PlacedLayer, known: Known): CompiledLayer {
  const { mesh, renderers } = known;
  switch (placed.kind) {
    case "scope":
      return { placed, ...renderers.scope(scopeIn(known, placed.placement)), items: NO_ITEMS, made: NO_ITEMS };
    case "vantage": {
      const items = itemsOf(placed.placement, known);
      const before = known.seenBefore?.get(placed.key);
      if (before?.items === items) return before;
      return { placed, ...renderers.vantage(mesh, placed.placement, items), items };
    }
    case "workload": {
      const { context } = scopeIn(known, placed.placement.scope);
      return { placed, ...renderers.workload(mesh, placed.placement, context), items: NO_ITEMS, made: NO_ITEMS };
    }
    case "node": {
      const { context } = scopeIn(known, placed.placement.workload.scope);
      return { placed, ...renderers.node(mesh, placed.placement, context), items: NO_ITEMS, made: NO_ITEMS };
    }
  }
}

const NO_ITEMS: readonly never[] = [];

/** What several layers have to say, once. */
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [findingText(one), one])).values()];
}

/** Throws what preparing the scope threw. */
function scopeIn({ scopes }: Known, placement: ScopePlacement): PreparedScope {
  const scope = scopes.get(scopeKey(placement));
  if (scope === undefined) throw new Error(`scope of namespace ${placement.namespace} was not compiled before its layers`);
  if ("fault" in scope) throw scope.fault;
  return scope.value;
}

function itemsOf({ scope, reads }: VantagePlacement, known: Known): readonly VantageItem[] {
  const groups = scope === undefined ? known.groups : scopeIn(known, scope).own;
  return groups.get(readsKey(reads))?.items ?? [];
}
