import { isSubset } from "#core/lib/labels.ts";
import type { Endpoint, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";
import { overviewOf } from "./overview.ts";

/**
 * The endpoints that a cluster gets at all, before networks are looked at (istio `xds/endpoints/endpoint_builder.go` BuildClusterLoadAssignment,
 * filterIstioEndpoint).
 */
export function selectEndpoints(service: ServiceEndpoints, spec: AssignmentSpec, vantage: Vantage): readonly Endpoint[] {
  return joinedEndpoints(service, spec).filter((endpoint) => isWanted(endpoint, spec) && isReachable(endpoint, spec, vantage));
}

function joinedEndpoints(service: ServiceEndpoints, { join, port, portNames = [port.name] }: AssignmentSpec): readonly Endpoint[] {
  if (join === "number") {
    for (const name of portNames) {
      const found = service.endpoints.filter(({ port: { servicePort, servicePortName } }) =>
        servicePort === 0 ? servicePortName === name : servicePort === port.number,
      );
      if (found.length > 0) return found;
    }
    return NONE;
  }
  const named = overviewOf(service).discoverable.get(port.name) ?? NONE;
  return join === "name" ? named : named.filter(({ port: { servicePort } }) => servicePort === 0 || servicePort === port.number);
}

const NONE: readonly Endpoint[] = [];

function isWanted({ workload: { labels, traits }, health }: Endpoint, { subsetLabels, sendsUnhealthy, sendsDraining }: AssignmentSpec): boolean {
  if (subsetLabels !== undefined && !isSubset(subsetLabels, labels)) return false;
  if (health === "terminating") return false;
  if (health === "unhealthy" && !sendsUnhealthy) return false;
  return sendsDraining || (health !== "draining" && !traits.drains);
}

function isReachable({ workload: { nodeName, network, cluster } }: Endpoint, { nodeLocal, clusterLocal }: AssignmentSpec, vantage: Vantage): boolean {
  if (nodeLocal && nodeName !== (vantage.nodeName ?? "")) return false;
  if ((nodeLocal || clusterLocal) && cluster !== vantage.cluster) return false;
  return vantage.networkView === undefined || network === "" || vantage.networkView.includes(network);
}
