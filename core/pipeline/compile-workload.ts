import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveWorkload } from "#core/model/resolve/workload.ts";
import type { Workload } from "#core/model/workload.ts";
import type { WorkloadPlacement } from "#core/node/placement.ts";
import { ruleCredentials } from "#core/translate/clusters/rule-credentials.ts";
import { inboundClusters } from "#core/translate/clusters.ts";
import { inboundListeners, outboundHttpListeners } from "#core/translate/listeners.ts";
import { listenerLiterals } from "#core/translate/literals.ts";
import { compileRouter } from "./compile-router.ts";
import type { ScopeContext } from "./scope-context.ts";
import { NOTHING_GRANTED, secretsFor } from "./secrets-for.ts";
import { sidecarOf } from "./views.ts";

/** A workload layer: the inbound side, and the outbound listeners that carry the workload's names. */
export function compileWorkload(mesh: ResolvedMesh, placement: WorkloadPlacement, context: ScopeContext): readonly Resource[] {
  const workload = workloadOf(mesh, placement, context);
  if (placement.scope.type === "router") return compileRouter(mesh, placement, workload, context);
  const { scope, listeners: settings, frame } = context;
  const literals = listenerLiterals(placement.scope, placement.literals);
  return [
    ...inboundClusters(workload, context.clusters),
    ...outboundHttpListeners({ scope, settings, frame }, literals),
    ...inboundListeners({ workload, settings, frame }, literals),
    ...secretsFor(mesh, ruleCredentials(scope.services, context.clusters), { ...placement.scope, granted: NOTHING_GRANTED }),
  ];
}

/** The workload that a placement stands for. */
export function workloadOf(mesh: ResolvedMesh, placement: WorkloadPlacement, { scope }: ScopeContext): Workload {
  const { namespace, cluster } = placement.scope;
  const sidecar = sidecarOf(mesh, placement.scope);
  return resolveWorkload(mesh, { ...placement, namespace, cluster, ...(sidecar && { sidecar }) }, scope);
}
