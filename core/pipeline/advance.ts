import { entryKey, type LayerChanges, type LayerContents } from "#core/edition/layer.ts";
import type { Resource } from "#core/edition/resource.ts";
import { memoize } from "#core/lib/memo.ts";
import { diffTries } from "#core/lib/trie-diff.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import type { Compilation, CompiledLayer } from "./compile.ts";
import { endpointView } from "./scope-context.ts";
import { itemService, makeItem, type VantageItem } from "./vantage-items.ts";

/** A compilation after a change of endpoints alone, and what changed in its layers, by layer key. */
export interface Advance {
  readonly compilation: Compilation;
  readonly changes: ReadonlyMap<string, LayerChanges>;
  /** The resources that changed, as they were and as they are. */
  readonly touched: readonly Resource[];
}

/** Kinds that most changes are of, and whose changes seldom mean more than endpoints. */
const ENDPOINT_KINDS: ReadonlySet<string> = new Set(["EndpointSlice", "Pod"] satisfies readonly Kind[]);

/**
 * The fast lane of DESIGN 5: the compilation after a change that nothing but load assignments can see. Undefined if anything that other layers read is
 * another: objects of other kinds, facts derived from endpoints, gateways of networks. Whoever calls sees to it that the nodes' facts are the same.
 */
export function advanceEndpoints(previous: Compilation, mesh: ResolvedMesh): Advance | undefined {
  if (previous.failed.size > 0 || !onlyEndpointsDiffer(previous.mesh, mesh)) return undefined;
  const services = changedServices(previous.mesh, mesh);
  const layers = new Map(previous.layers);
  const changes = new Map<string, LayerChanges>();
  const touched: Resource[] = [];
  for (const [key, layer] of previous.layers) {
    const refreshed = refresh(layer, services, mesh, touched);
    if (refreshed === undefined) continue;
    layers.set(key, refreshed.layer);
    changes.set(key, refreshed.changes);
  }
  return { compilation: { ...previous, mesh, layers }, changes, touched };
}

function onlyEndpointsDiffer(before: ResolvedMesh, after: ResolvedMesh): boolean {
  return (
    before.options === after.options &&
    before.config === after.config &&
    before.facts === after.facts &&
    before.networkGateways === after.networkGateways &&
    sameShelves(before.inventory, after.inventory)
  );
}

function sameShelves(before: Inventory, after: Inventory): boolean {
  const kinds = new Set([...Object.keys(before.shelves), ...Object.keys(after.shelves)]) as ReadonlySet<Kind>;
  return [...kinds].every((kind) => ENDPOINT_KINDS.has(kind) || before.shelves[kind] === after.shelves[kind]);
}

function changedServices(before: ResolvedMesh, after: ResolvedMesh): ReadonlySet<string> {
  const keys = new Set<string>();
  diffTries(before.endpoints, after.endpoints, (key) => keys.add(key));
  return keys;
}

/** The layer with the items of some services made anew, and those that differ in `touched`; undefined if that changes nothing. */
function refresh(
  layer: CompiledLayer,
  services: ReadonlySet<string>,
  mesh: ResolvedMesh,
  touched: Resource[],
): { layer: CompiledLayer; changes: LayerChanges } | undefined {
  const { placed, items, made } = layer;
  if (placed.kind !== "vantage") return undefined;
  const view = endpointView(mesh, placed.placement.vantage);
  const changes = new Map<string, Resource | undefined>();
  let next: (Resource | undefined)[] | undefined;
  for (const index of affected(items, services)) {
    const before = made[index];
    const after = makeItem(items[index] as VantageItem, view);
    if (before === after) continue;
    next ??= [...made];
    next[index] = after;
    for (const one of [before, after]) if (one !== undefined) touched.push(one);
    if (before !== undefined) changes.set(entryKey(before.type, before.name), undefined);
    if (after !== undefined) changes.set(entryKey(after.type, after.name), after);
  }
  return next && { layer: { ...layer, made: next, contents: contentsOf(next, layer.contents) }, changes };
}

/** Name tables take endpoints of many services: they are always looked at. */
function affected(items: readonly VantageItem[], services: ReadonlySet<string>): readonly number[] {
  const places = placesByService(items);
  return [...services, MANY].flatMap((key) => places.get(key) ?? []);
}

const MANY = "";

const placesByService = memoize((items: readonly VantageItem[]): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    const key = itemService(item) ?? MANY;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
});

/** Listed when somebody asks: an endpoint's change need not walk all names. */
function contentsOf(made: readonly (Resource | undefined)[], { existence = [] }: LayerContents): LayerContents {
  let listed: readonly Resource[] | undefined;
  return {
    existence,
    get resources() {
      listed ??= made.filter((resource) => resource !== undefined);
      return listed;
    },
  };
}
