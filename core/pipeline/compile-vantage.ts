import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { VantagePlacement } from "#core/node/placement.ts";
import { NOTHING_SAID, type RenderedLayer } from "./rendered-layer.ts";
import { endpointView } from "./scope-context.ts";
import { makeItem, type VantageItem } from "./vantage-items.ts";

/** The resources of one vantage layer: what clients at one place see of endpoints. */
export function compileVantage(mesh: ResolvedMesh, placement: VantagePlacement, items: readonly VantageItem[]): RenderedVantage {
  const view = endpointView(mesh, placement.vantage);
  const made = items.map((item) => makeItem(item, view));
  return { contents: { resources: made.filter((resource) => resource !== undefined) }, made, diagnostics: NOTHING_SAID };
}

/** A vantage layer, with what was made of each item in the items' order. */
export interface RenderedVantage extends RenderedLayer {
  readonly made: readonly (Resource | undefined)[];
}
