import type { Resource } from "#core/edition/resource.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { Workload } from "#core/model/workload.ts";
import { ownAddress } from "./clusters/default-endpoint.ts";
import { allocateInbound } from "./clusters/inbound-allocation.ts";
import { inboundCluster } from "./clusters/inbound-cluster.ts";
import { serviceClusters, sniDnatClusters } from "./clusters/service-clusters.ts";
import type { ClusterSettings } from "./clusters/settings.ts";
import { anyHost, blackHole, inboundPassthrough, passthrough, socketSecrets } from "./clusters/static-clusters.ts";

/**
 * Which clusters exist (istio `core/cluster.go` BuildClusters), and in which layer. Those whose endpoints come with them are seen differently from each place: whoever
 * fills the `vantage` layers takes them one by one from `clusters/inline-clusters.ts`.
 */

/** Layer `scope`: those of services whose hosts don't come with the cluster, then the ones that catch what no service takes. */
export function outboundClusters(scope: Scope, settings: ClusterSettings): readonly Resource[] {
  const catching = settings.outbound.node === "router" ? [blackHole(settings)] : sidecarCatching(scope, settings);
  return [...ofServices(scope.services, settings), ...catching, ...(settings.outbound.credentialSocket ? [socketSecrets(settings)] : [])];
}

const ofServices = memoize((services: readonly ScopedService[], settings: ClusterSettings): readonly Resource[] => {
  return services.flatMap((scoped) => serviceClusters(scoped, settings));
});

function sidecarCatching({ outboundPolicy }: Scope, settings: ClusterSettings): readonly Resource[] {
  const anywhere = outboundPolicy.mode === "ALLOW_ANY_DYNAMIC_DNS" ? [anyHost(settings)] : [];
  return [blackHole(settings), passthrough(settings), ...anywhere];
}

/** Layer `scope` of routers with an AUTO_PASSTHROUGH server, beside the ordinary ones: clusters by server name. */
export function sniDnatOutboundClusters(scope: Scope, settings: ClusterSettings): readonly Resource[] {
  return scope.services.flatMap((scoped) => sniDnatClusters(scoped, settings));
}

/** Layer `workload`: the workload's own ports. Routers serve nobody. */
export const inboundClusters = memoize((workload: Workload, settings: ClusterSettings): readonly Resource[] => {
  if (settings.outbound.node === "router") return [];
  return [...allocateInbound(workload, settings).clusters.map((cluster) => inboundCluster(cluster, settings)), inboundPassthrough(settings)];
});

/** Layer `node`: ports that a Sidecar hands to the pod's own address. */
export function ownAddressClusters(workload: Workload, settings: ClusterSettings, addresses: readonly string[]): readonly Resource[] {
  return allocateInbound(workload, settings).onOwnAddress.map(({ cluster, family, port }) => {
    return inboundCluster({ ...cluster, endpoint: { address: ownAddress(addresses, family), port } }, settings);
  });
}
