import type { LayerContents } from "#core/edition/layer.ts";
import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import type { ScopePlacement, WorkloadPlacement } from "#core/node/placement.ts";
import { grpcClient } from "#core/translate/grpc/client.ts";
import { grpcClusters } from "#core/translate/grpc/clusters.ts";
import { COMMON_HOSTS, grpcInbound } from "#core/translate/grpc/inbound.ts";
import { apiListeners } from "#core/translate/grpc/listeners.ts";
import { grpcRoutes } from "#core/translate/grpc/routes.ts";
import type { ScopeContext } from "./scope-context.ts";
import { workloadObjects, workloadOf } from "./workload-of.ts";

/** The layers of proxyless clients and servers, which resources of other dialects have no part in. */

export function isProxyless({ dialect }: Pick<ScopePlacement, "dialect">): boolean {
  return dialectFeatures(dialect).apiListeners;
}

/** Layer `scope`: what a client may ask for. */
export function grpcScope({ placement, scope, clusters, listeners, routes }: ScopeContext): readonly Resource[] {
  const { namespace, dnsDomain } = placement;
  const client = grpcClient({ namespace, dnsDomain, addresses: listeners.addresses });
  return [...grpcClusters(scope, clusters), ...apiListeners(scope, client), ...grpcRoutes(scope, routes)];
}

/** Layer `workload`: listeners of its servers that are on all addresses, or this host's own. Layer `node`: those on its addresses. */
export function grpcServers(
  mesh: ResolvedMesh,
  placement: WorkloadPlacement,
  context: ScopeContext,
  hosts: readonly string[] = COMMON_HOSTS,
): LayerContents {
  const workload = workloadOf(mesh, placement, context);
  const hasCertificate = context.listeners.peerTls !== undefined;
  const resources = grpcInbound({ workload, hasCertificate, speaksMtls: placement.speaksMtls ?? false }, hosts);
  return { resources, existence: workloadObjects(workload) };
}
