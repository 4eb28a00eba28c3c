import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveWorkload } from "#core/model/resolve/workload.ts";
import type { Workload } from "#core/model/workload.ts";
import type { WorkloadPlacement } from "#core/node/placement.ts";
import type { ScopeContext } from "./scope-context.ts";
import { sidecarOf } from "./views.ts";

/** The workload that a placement stands for. */
export function workloadOf(mesh: ResolvedMesh, placement: WorkloadPlacement, { scope }: ScopeContext): Workload {
  const { namespace, cluster } = placement.scope;
  const sidecar = sidecarOf(mesh, placement.scope);
  return resolveWorkload(mesh, { ...placement, namespace, cluster, ...(sidecar && { sidecar }) }, scope);
}
