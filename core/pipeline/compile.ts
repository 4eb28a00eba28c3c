import type { LayerContents } from "#core/edition/layer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Facts } from "#core/node/facts.ts";
import { layerKey, place, placeScope } from "#core/node/place.ts";
import type { PlacedLayer, Placement, ScopePlacement, VantagePlacement } from "#core/node/placement.ts";
import type { Reads, Rules, ScopeReads } from "#core/node/rules.ts";
import { type Assignments, generalAssignments } from "./assignments.ts";
import { compileNode } from "./compile-node.ts";
import { type CompiledScope, compileScope } from "./compile-scope.ts";
import { compileVantage } from "./compile-vantage.ts";
import { compileWorkload } from "./compile-workload.ts";
import { groupByReads, readsKey } from "./reads.ts";
import { selectorsOf } from "./rules-of.ts";
import { assignmentItem, itemReads, type VantageItem } from "./vantage-items.ts";

/** What a mesh is for a census: the rules that place its nodes, and the contents of every layer that any of them is served. */
export interface Compilation {
  readonly mesh: ResolvedMesh;
  readonly rules: Rules;
  readonly placements: ReadonlyMap<Facts, Placement>;
  readonly layers: ReadonlyMap<string, CompiledLayer>;
  /** What users should know of the layers' nodes. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CompiledLayer {
  readonly placed: PlacedLayer;
  readonly contents: LayerContents;
  /** Vantage layers: what its resources are made from, so that an endpoint's change finds what to make anew. */
  readonly items: readonly VantageItem[];
  readonly diagnostics: readonly Diagnostic[];
}

type Groups = ReadonlyMap<string, { readonly reads: Reads; readonly items: readonly VantageItem[] }>;

/**
 * Compiles a mesh for a census. Scopes first, since what their objects read decides which layers there are; then every node is placed, and each layer that
 * any of them is served is compiled once.
 */
export function compile(mesh: ResolvedMesh, census: Iterable<Facts>): Compilation {
  const general = generalAssignments(mesh);
  const groups: Groups = groupByReads(
    [...general.values()].map((assignment) => assignmentItem(assignment)),
    itemReads,
  );
  const selectors = selectorsOf(mesh);
  const nodes = [...census];
  const scopes = compileScopes(
    mesh,
    nodes.map((facts) => placeScope(facts, selectors)),
    general,
  );
  const rules: Rules = { ...selectors, generalReads: [...groups.values()].map(({ reads }) => reads), scopeReads: readsOf(scopes) };
  const placements = new Map<Facts, Placement>();
  const layers = new Map<string, CompiledLayer>();
  for (const facts of nodes) {
    const placement = place(facts, rules);
    if ("wanted" in placement) continue;
    placements.set(facts, placement);
    for (const placed of placement.layers) {
      if (!layers.has(placed.key)) layers.set(placed.key, compileLayer(mesh, placed, { scopes, groups }));
    }
  }
  return { mesh, rules, placements, layers, diagnostics: distinct([...layers.values()].flatMap((layer) => layer.diagnostics)) };
}

function compileScopes(mesh: ResolvedMesh, placements: readonly ScopePlacement[], general: Assignments): ReadonlyMap<string, CompiledScope> {
  const scopes = new Map<string, CompiledScope>();
  for (const placement of placements) {
    const key = layerKey("scope", placement);
    if (!scopes.has(key)) scopes.set(key, compileScope(mesh, placement, general));
  }
  return scopes;
}

function readsOf(scopes: ReadonlyMap<string, CompiledScope>): Readonly<Record<string, ScopeReads>> {
  return Object.fromEntries([...scopes].map(([key, { reads }]) => [key, reads]));
}

interface Known {
  readonly scopes: ReadonlyMap<string, CompiledScope>;
  readonly groups: Groups;
}

function compileLayer(mesh: ResolvedMesh, placed: PlacedLayer, known: Known): CompiledLayer {
  switch (placed.kind) {
    case "scope": {
      const { resources, diagnostics } = scopeIn(known, placed.placement);
      return { placed, contents: { resources }, items: NO_ITEMS, diagnostics };
    }
    case "vantage": {
      const items = itemsOf(placed.placement, known);
      return { placed, contents: { resources: compileVantage(mesh, placed.placement, items) }, items, diagnostics: NO_DIAGNOSTICS };
    }
    case "workload": {
      const { context } = scopeIn(known, placed.placement.scope);
      return { placed, ...compileWorkload(mesh, placed.placement, context), items: NO_ITEMS };
    }
    case "node": {
      const { context } = scopeIn(known, placed.placement.workload.scope);
      return { placed, contents: compileNode(mesh, placed.placement, context), items: NO_ITEMS, diagnostics: NO_DIAGNOSTICS };
    }
  }
}

const NO_ITEMS: readonly VantageItem[] = [];
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/** What several layers have to say, once. */
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${formatObjectKey(one.key)} ${one.code} ${one.field} ${one.message}`, one])).values()];
}

function scopeIn({ scopes }: Known, placement: ScopePlacement): CompiledScope {
  const scope = scopes.get(layerKey("scope", placement));
  if (scope === undefined) throw new Error(`scope of namespace ${placement.namespace} was not compiled before its layers`);
  return scope;
}

function itemsOf({ scope, reads }: VantagePlacement, known: Known): readonly VantageItem[] {
  const groups = scope === undefined ? known.groups : scopeIn(known, scope).own;
  return groups.get(readsKey(reads))?.items ?? [];
}
