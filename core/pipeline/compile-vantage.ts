import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { VantagePlacement } from "#core/node/placement.ts";
import { loadAssignment } from "#core/translate/endpoints.ts";
import type { Assignment } from "./assignments.ts";
import { endpointView } from "./scope-context.ts";

/** The load assignments of one vantage layer. */
export function compileVantage(mesh: ResolvedMesh, placement: VantagePlacement, items: readonly Assignment[]): readonly Resource[] {
  const view = endpointView(mesh, placement.vantage);
  return items.map(({ spec, service }) => loadAssignment(spec, view.endpointsOf(service), view));
}
