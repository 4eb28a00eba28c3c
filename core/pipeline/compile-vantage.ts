import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { VantagePlacement } from "#core/node/placement.ts";
import { NOTHING_SAID, type RenderedLayer } from "./rendered-layer.ts";
import { endpointView, hidingObjects } from "./scope-context.ts";
import { makeItem, type VantageItem } from "./vantage-items.ts";

/** The resources of one vantage layer: what clients at one place see of endpoints. */
export function compileVantage(mesh: ResolvedMesh, placement: VantagePlacement, items: readonly VantageItem[]): RenderedVantage {
  const view = endpointView(mesh, placement.vantage);
  const made = items.map((item) => makeItem(item, view));
  const resources = made.filter((resource) => resource !== undefined);
  return { contents: { resources, existence: hidingObjects(mesh.services) }, made, diagnostics: NOTHING_SAID };
}

/** A vantage layer, with what was made of each item in the items' order. */
export interface RenderedVantage extends RenderedLayer {
  readonly made: readonly (Resource | undefined)[];
}
