import { isAddress } from "#core/lib/address.ts";
import { isSubset } from "#core/lib/labels.ts";
import type { Endpoint } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";
import { DRAINING_LABEL } from "./member.ts";

/**
 * The endpoints that a cluster gets at all, before networks are looked at (istio `xds/endpoints/endpoint_builder.go` BuildClusterLoadAssignment,
 * filterIstioEndpoint).
 */
export function selectEndpoints(endpoints: readonly Endpoint[], spec: AssignmentSpec, vantage: Vantage): readonly Endpoint[] {
  return endpoints.filter((endpoint) => joinsPort(endpoint, spec) && isWanted(endpoint, spec) && isReachable(endpoint, spec, vantage));
}

function joinsPort({ servicePortName, servicePort, address, port }: Endpoint, { join, port: wanted }: AssignmentSpec): boolean {
  if (join === "number") return servicePort === 0 ? servicePortName === wanted.name : servicePort === wanted.number;
  if (servicePortName !== wanted.name) return false;
  if (join === "both" && servicePort !== 0 && servicePort !== wanted.number) return false;
  return address === "" || port === 0 || isAddress(address);
}

function isWanted({ labels, health }: Endpoint, { subsetLabels, sendsUnhealthy, sendsDraining }: AssignmentSpec): boolean {
  if (subsetLabels !== undefined && !isSubset(subsetLabels, labels)) return false;
  if (health === "terminating") return false;
  if (health === "unhealthy" && !sendsUnhealthy) return false;
  return sendsDraining || (health !== "draining" && !labels[DRAINING_LABEL]);
}

function isReachable({ nodeName, network, cluster }: Endpoint, { nodeLocal, clusterLocal }: AssignmentSpec, vantage: Vantage): boolean {
  if (nodeLocal && nodeName !== (vantage.nodeName ?? "")) return false;
  if ((nodeLocal || clusterLocal) && cluster !== vantage.cluster) return false;
  return vantage.networkView === undefined || network === "" || vantage.networkView.includes(network);
}
