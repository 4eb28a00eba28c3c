import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeAssignment } from "#core/envoy/endpoint.ts";
import { interner } from "#core/lib/intern.ts";
import { joined } from "#core/lib/joined.ts";
import { memoize } from "#core/lib/memo.ts";
import type { NetworkGateway, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { Service } from "#core/model/service.ts";
import type { Reads } from "#core/node/rules.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "./endpoints/assignment-spec.ts";
import { balanceReads, NO_BALANCE } from "./endpoints/balance.ts";
import { addressedGateways } from "./endpoints/gateway-index.ts";
import { endpointSources, locateEndpoints, type Viewpoint } from "./endpoints/locality-groups.ts";
import { overviewOf } from "./endpoints/overview.ts";

/** {@link Viewpoint}, and where endpoints of services are found. */
export interface EndpointView extends Viewpoint {
  readonly endpointsOf: (service: Service) => ServiceEndpoints | undefined;
}

/** The assignment of one cluster. Everything is compared by identity: intern the vantage. */
export function loadAssignment(spec: AssignmentSpec, endpoints: ServiceEndpoints | undefined, { vantage, networkGateways }: Viewpoint): Resource {
  const seen = endpoints !== undefined && overviewOf(endpoints).anyTunnelled ? vantage : withoutTunnels(vantage);
  return buildAssignment(networkGateways, seen, spec, endpoints);
}

/** Most services have no endpoint behind a tunnel: clients that avoid them share their assignments with all others. */
const withoutTunnels = memoize(({ avoidsTunnels: _, ...vantage }: Vantage): Vantage => internVantage(vantage));
const internVantage = interner<Vantage>();

const buildAssignment = memoize(
  (networkGateways: readonly NetworkGateway[], vantage: Vantage, spec: AssignmentSpec, endpoints: ServiceEndpoints | undefined): Resource => {
    const gateways = addressedGateways(networkGateways);
    const groups = locateEndpoints(spec, endpoints, vantage, gateways);
    const from = joined(spec.sources, endpointSources(endpoints), gateways.sources);
    return makeResource("endpoints", spec.cluster, encodeAssignment(spec.cluster, groups), NO_NEEDS, from);
  },
);

const NOTHING_MORE: Reads = { ...NO_BALANCE, nodeName: false };

/** What {@link loadAssignment} reads of a vantage: assignments that read nothing more are the same for all nodes of a cluster and network. */
export function assignmentReads(spec: AssignmentSpec): Reads {
  const reads = balanceReads(spec);
  return reads === NO_BALANCE && !spec.nodeLocal ? NOTHING_MORE : { ...reads, nodeName: spec.nodeLocal };
}
