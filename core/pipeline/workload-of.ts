import { equalValues } from "#core/lib/equality.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { steady } from "#core/lib/steady.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveWorkload } from "#core/model/resolve/workloads/workload.ts";
import type { Workload } from "#core/model/workload.ts";
import type { WorkloadPlacement } from "#core/node/placement.ts";
import type { ScopeContext } from "./scope-context.ts";
import { sidecarOf } from "./views.ts";

/** The workload that a placement stands for. */
export function workloadOf(mesh: ResolvedMesh, placement: WorkloadPlacement, { scope }: ScopeContext): Workload {
  const { namespace, cluster } = placement.scope;
  const sidecar = sidecarOf(mesh, placement.scope);
  const workload = resolveWorkload(mesh, { ...placement, namespace, cluster, ...(sidecar && { sidecar }) }, scope);
  return steadyWorkload(placement)(workload);
}

/** Most changes of a mesh are none of a workload: then its value stays, and all that was made of it. */
const steadyWorkload = memoize((_placement: WorkloadPlacement) => steady<Workload>(equalValues));

/** What decides at which ports a workload answers: a router's listeners are there, a gRPC server's are, and a sidecar's outbound ones are not. */
export const workloadObjects = memoize(({ sources, targets }: Workload): readonly ObjectKey[] => [
  ...new Set([...sources, ...targets.flatMap(({ service }) => service.sources)]),
]);
