import type { LocalityGroup } from "#core/envoy/endpoint.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Endpoint, NetworkGateway, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";
import { balance } from "./balance.ts";
import type { GatewayIndex } from "./gateway-index.ts";
import { type Group, groupByLocality, regroup, toLocalityGroup } from "./group.ts";
import { memberOf } from "./member.ts";
import { selectEndpoints } from "./select.ts";
import { splitHorizon } from "./split-horizon.ts";

/** From where endpoints are looked at: a client, and the ways into other networks. */
export interface Viewpoint {
  readonly vantage: Vantage;
  readonly networkGateways: readonly NetworkGateway[];
}

/** An assignment's groups in order, and the endpoints that it was made of. */
export interface Assignment {
  readonly groups: readonly LocalityGroup[];
  readonly used: readonly Endpoint[];
}

/** The endpoints of a cluster as its client sees them, grouped, weighed and ranked (istio `endpoint_builder.go` BuildClusterLoadAssignment, generate). */
export function locateEndpoints(spec: AssignmentSpec, service: ServiceEndpoints | undefined, vantage: Vantage, gateways: GatewayIndex): Assignment {
  const used = service === undefined ? [] : selectEndpoints(service.endpoints, spec, vantage);
  const direct = groupByLocality(used.map((endpoint) => memberOf(endpoint, isMarked(endpoint, spec))));
  const split = splitHorizon(direct, vantage, gateways);
  const groups = spec.mtlsOnly ? split.map(onlyMtls) : split;
  return { groups: balance(groups, spec, vantage).map(toLocalityGroup), used };
}

/** Istio `xds/endpoints/mtls_checker.go` checkMtlsEnabled. */
function isMarked({ tlsMode, mtlsAllowed }: Endpoint, { mtls }: AssignmentSpec): boolean {
  return mtls === "automatic" ? tlsMode === "istio" && mtlsAllowed : mtls === "always";
}

function onlyMtls(group: Group): Group {
  return regroup(
    group,
    group.members.filter(({ takesMtls }) => takesMtls),
  );
}

/** The objects that endpoints are made of; those of one workload share one list. */
export function memberSources(used: readonly Endpoint[]): readonly ObjectKey[] {
  return [...new Set(used.map(({ sources }) => sources))].flat();
}
