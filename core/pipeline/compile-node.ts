import type { Resource, ResourceType } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { NodePlacement } from "#core/node/placement.ts";
import { ownAddressClusters } from "#core/translate/clusters.ts";
import { ownAddressListeners } from "#core/translate/listeners.ts";
import { listenerLiterals } from "#core/translate/literals.ts";
import { grpcServers, isProxyless } from "./compile-grpc.ts";
import { NOTHING_SAID, type RenderedLayer } from "./rendered-layer.ts";
import type { ScopeContext } from "./scope-context.ts";
import { workloadOf } from "./workload-of.ts";

/** A node layer: what differs for one node because of its own addresses, a listener that it must not have included. */
export function compileNode(mesh: ResolvedMesh, { workload: placement, addresses }: NodePlacement, context: ScopeContext): RenderedLayer {
  if (isProxyless(placement.scope)) return { contents: grpcServers(mesh, placement, context, addresses), diagnostics: NOTHING_SAID };
  const workload = workloadOf(mesh, placement, context);
  const { scope, listeners: settings, frame } = context;
  const literals = listenerLiterals(placement.scope, placement.literals);
  const own = ownAddressListeners({ scope, settings, frame }, { workload, settings, frame }, literals, addresses);
  const resources: Resource[] = [...ownAddressClusters(workload, context.clusters, addresses)];
  const absent: { type: ResourceType; name: string }[] = [];
  for (const { name, resource } of own) {
    if (resource === undefined) absent.push({ type: "listeners", name });
    else resources.push(resource);
  }
  return { contents: { resources, absent, existence: own.flatMap(({ hiddenBy = [] }) => hiddenBy) }, diagnostics: NOTHING_SAID };
}
