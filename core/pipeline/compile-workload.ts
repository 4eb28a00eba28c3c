import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Workload } from "#core/model/workload.ts";
import type { WorkloadPlacement } from "#core/node/placement.ts";
import { ruleCredentials } from "#core/translate/clusters/rule-credentials.ts";
import { inboundClusters } from "#core/translate/clusters.ts";
import { listenersOnOwnPorts, type PortOwner } from "#core/translate/listeners/own-ports.ts";
import { inboundListeners, outboundHttpListeners } from "#core/translate/listeners.ts";
import { listenerLiterals } from "#core/translate/literals.ts";
import { wantedSecrets } from "#core/translate/own-secrets.ts";
import { closedInbound } from "#core/translate/plaintext.ts";
import { grpcServers, isProxyless } from "./compile-grpc.ts";
import { compileRouter } from "./compile-router.ts";
import { NOTHING_SAID, type RenderedLayer } from "./rendered-layer.ts";
import type { ScopeContext } from "./scope-context.ts";
import { NOTHING_GRANTED, secretsFor } from "./secrets-for.ts";
import { workloadObjects, workloadOf } from "./workload-of.ts";

/** A workload layer: the inbound side, and the outbound listeners that carry the workload's names. */
export function compileWorkload(mesh: ResolvedMesh, placement: WorkloadPlacement, context: ScopeContext): RenderedLayer {
  if (isProxyless(placement.scope)) return { contents: grpcServers(mesh, placement, context), diagnostics: NOTHING_SAID };
  const workload = workloadOf(mesh, placement, context);
  if (placement.scope.type === "router")
    return {
      contents: { resources: compileRouter(mesh, placement, workload, context), existence: workloadObjects(workload) },
      diagnostics: NOTHING_SAID,
    };
  const { scope, listeners: settings, frame, clusters } = context;
  const literals = listenerLiterals(placement.scope, placement.literals);
  const hidden = new Set(listenersOnOwnPorts(scope, settings, portOwner(placement, workload)));
  const inbound = inboundListeners({ workload, settings, frame }, literals);
  const taken = new Set(inbound.map(({ name }) => name));
  const wanted = [...ruleCredentials(scope.services, clusters), ...wantedSecrets(settings.peerTls)];
  return {
    contents: {
      resources: [
        ...inboundClusters(workload, clusters),
        ...outboundHttpListeners({ scope, settings, frame }, literals).filter(({ name }) => !hidden.has(name)),
        ...inbound,
        ...secretsFor(mesh, wanted, { ...placement.scope, granted: NOTHING_GRANTED }),
      ],
      existence: hidden.size === 0 ? workload.sources : workloadObjects(workload),
      absent: [...hidden].filter((name) => !taken.has(name)).map((name) => ({ type: "listeners", name })),
    },
    diagnostics: closedInbound(workload, settings),
  };
}

function portOwner({ containerPorts, standsApart }: WorkloadPlacement, workload: Workload): PortOwner {
  return { workload, containerPorts: containerPorts.map(({ containerPort }) => containerPort), standsApart: standsApart ?? false };
}
