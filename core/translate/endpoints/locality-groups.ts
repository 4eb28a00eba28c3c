import type { LocalityGroup } from "#core/envoy/endpoint.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Endpoint, NetworkGateway, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";
import { balance } from "./balance.ts";
import type { GatewayIndex } from "./gateway-index.ts";
import { type Group, groupByLocality, regroup, toLocalityGroup } from "./group.ts";
import { memberOf, takesMtls } from "./member.ts";
import { overviewOf } from "./overview.ts";
import { selectEndpoints } from "./select.ts";
import { splitHorizon } from "./split-horizon.ts";

/** From where endpoints are looked at: a client, and the ways into other networks. */
export interface Viewpoint {
  readonly vantage: Vantage;
  readonly networkGateways: readonly NetworkGateway[];
}

/** The endpoints of a cluster as its client sees them, grouped, weighed and ranked (istio `endpoint_builder.go` BuildClusterLoadAssignment, generate). */
export function locateEndpoints(
  spec: AssignmentSpec,
  service: ServiceEndpoints | undefined,
  vantage: Vantage,
  gateways: GatewayIndex,
): readonly LocalityGroup[] {
  const used = service === undefined ? [] : selectEndpoints(service, spec, vantage);
  const direct = groupByLocality(used.map((endpoint) => memberOf(endpoint, isMarked(endpoint, spec), !vantage.avoidsTunnels)));
  const split = splitHorizon(direct, vantage, gateways);
  const groups = spec.mtlsOnly ? split.map(onlyMtls) : split;
  return balance(groups, spec, vantage).map(toLocalityGroup);
}

/** Istio `xds/endpoints/mtls_checker.go` checkMtlsEnabled. */
function isMarked({ workload, mtls }: Endpoint, spec: AssignmentSpec): boolean {
  return spec.mtls === "automatic" ? workload.tlsMode === "istio" && mtls.allowed : spec.mtls === "always";
}

function onlyMtls(group: Group): Group {
  return regroup(group, group.members.filter(takesMtls));
}

const NONE: readonly ObjectKey[] = [];

/** The objects that a service's endpoints are made of. */
export function endpointSources(service: ServiceEndpoints | undefined): readonly ObjectKey[] {
  return service === undefined ? NONE : overviewOf(service).sources;
}
