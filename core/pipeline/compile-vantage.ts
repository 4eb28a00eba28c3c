import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { VantagePlacement } from "#core/node/placement.ts";
import { endpointView } from "./scope-context.ts";
import { makeItem, type VantageItem } from "./vantage-items.ts";

/** The resources of one vantage layer: what clients at one place see of endpoints. */
export function compileVantage(mesh: ResolvedMesh, placement: VantagePlacement, items: readonly VantageItem[]): readonly Resource[] {
  const view = endpointView(mesh, placement.vantage);
  return items.flatMap((item) => makeItem(item, view) ?? []);
}
