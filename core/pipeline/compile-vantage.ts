import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { VantagePlacement } from "#core/node/placement.ts";
import { NOTHING_SAID, type RenderedLayer } from "./rendered-layer.ts";
import { endpointView } from "./scope-context.ts";
import { makeItem, type VantageItem } from "./vantage-items.ts";

/** The resources of one vantage layer: what clients at one place see of endpoints. */
export function compileVantage(mesh: ResolvedMesh, placement: VantagePlacement, items: readonly VantageItem[]): RenderedLayer {
  const view = endpointView(mesh, placement.vantage);
  return { contents: { resources: items.flatMap((item) => makeItem(item, view) ?? []) }, diagnostics: NOTHING_SAID };
}
