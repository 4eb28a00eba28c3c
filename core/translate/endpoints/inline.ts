import type { LocalityGroup } from "#core/envoy/endpoint.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { present } from "#core/lib/present.ts";
import type { NetworkGateway, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { Vantage } from "#core/node/vantage.ts";
import { outboundServerName } from "../names.ts";
import { effectivePolicy } from "../policy/effective.ts";
import { localitySetting } from "../policy/locality-setting.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";
import { unresolvedGateways } from "./gateway-index.ts";
import { endpointSources, locateEndpoints, type Viewpoint } from "./locality-groups.ts";
import { assignmentSpec, type ClusterSubject, type EndpointSettings, internSpec } from "./specs.ts";

/** Which of a subject's two clusters embeds the assignment: its own, or the one that AUTO_PASSTHROUGH servers route to. */
export type ClusterForm = "outbound" | "server-name";

/**
 * What decides the assignment that a DNS cluster embeds. It differs from a discovered one: endpoints join by port number and may be host names, the mesh's
 * default policy counts as outlier detection, and failover by labels is only known to the whole service's own cluster
 * (istio `core/cluster.go` buildOutboundClusters, `core/cluster_builder.go` buildSubsetCluster).
 */
export function inlineSpec(
  subject: ClusterSubject,
  form: ClusterForm,
  settings: EndpointSettings,
  defaults?: MeshConfig["defaultTrafficPolicy"],
): AssignmentSpec {
  const { service, port, rule, subset } = subject;
  const { loadBalancer, outlierDetection } = effectivePolicy(rule, port.number, subset, defaults);
  const { locality: _discovered, ...shared } = assignmentSpec(subject, settings);
  const locality = localitySetting(loadBalancer, service.trafficDistribution, settings.mesh, outlierDetection !== undefined);
  return internSpec({
    ...shared,
    cluster: form === "outbound" ? shared.cluster : outboundServerName(port.number, subset, service.host),
    join: "number",
    ...present({ portNames: service.otherPortNames?.[port.number] }),
    mtlsOnly: form === "server-name",
    ranksByLabels: subset === "" && form === "outbound",
    ...present({ locality }),
  });
}

export interface InlineAssignment {
  readonly groups: readonly LocalityGroup[];
  /** Objects that the endpoints were made of; the spec's own come beside. */
  readonly from: readonly ObjectKey[];
}

/** The assignment for one client, or undefined: without any endpoint there is no DNS cluster. */
export function inlineAssignment(
  spec: AssignmentSpec,
  endpoints: ServiceEndpoints | undefined,
  { vantage, networkGateways }: Viewpoint,
): InlineAssignment | undefined {
  return build(networkGateways, vantage, spec, endpoints);
}

const build = memoize(
  (
    networkGateways: readonly NetworkGateway[],
    vantage: Vantage,
    spec: AssignmentSpec,
    endpoints: ServiceEndpoints | undefined,
  ): InlineAssignment | undefined => {
    const gateways = unresolvedGateways(networkGateways);
    const groups = locateEndpoints(spec, endpoints, vantage, gateways);
    return groups.length === 0 ? undefined : { groups, from: [...endpointSources(endpoints), ...gateways.sources] };
  },
);
