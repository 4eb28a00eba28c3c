import type { Resource } from "#core/edition/resource.ts";
import { loadAssignmentMessage } from "#core/envoy/endpoint.ts";
import { firstOfEach } from "#core/lib/first-of-each.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Subset } from "#core/model/destination-rule.ts";
import type { NetworkGateway, ServiceEndpoints } from "#core/model/endpoint.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { Reads } from "#core/node/rules.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "../endpoints/assignment-spec.ts";
import { inlineAssignment, inlineSpec } from "../endpoints/inline.ts";
import type { Viewpoint } from "../endpoints/locality-groups.ts";
import type { EndpointSettings } from "../endpoints/specs.ts";
import { assignmentReads } from "../endpoints.ts";
import { effectivePolicy } from "../policy/effective.ts";
import { type Hosts, type OutboundCluster, outboundCluster } from "./outbound-cluster.ts";
import { type ClusterNames, isInline, namesOf } from "./service-clusters.ts";
import type { ClusterSettings } from "./settings.ts";

/** A cluster that holds its endpoints itself, before it is known from where they are seen. */
export interface InlineCluster {
  readonly name: string;
  readonly scoped: ScopedService;
  readonly port: ServicePort;
  readonly subset?: Subset;
  readonly names: ClusterNames;
  /** What decides the endpoints of the whole service: without any, none of its clusters exist. */
  readonly whole: AssignmentSpec;
  /** What decides those of this cluster; absent: none are needed, since the balancer keeps the original destination. */
  readonly own?: AssignmentSpec;
}

/** The clusters of a service whose endpoints are names to be resolved: for each port the whole, then its subsets. None for other services. */
export function inlineClustersOf(scoped: ScopedService, settings: ClusterSettings, endpoints: EndpointSettings): readonly InlineCluster[] {
  return isInline(scoped.service) ? inlineClusters(scoped, settings, endpoints) : NONE;
}

const NONE: readonly InlineCluster[] = [];

const inlineClusters = memoize((scoped: ScopedService, settings: ClusterSettings, endpoints: EndpointSettings): readonly InlineCluster[] => {
  const clusters = inlinePorts(scoped).flatMap((port) => portClusters({ scoped, port, names: "default" }, settings, endpoints));
  return firstOfEach(clusters, ({ name }) => name);
});

/** The same for gateways that hand TLS on. */
export const inlineSniDnatClustersOf = memoize(
  (scoped: ScopedService, settings: ClusterSettings, endpoints: EndpointSettings): readonly InlineCluster[] => {
    if (scoped.service.meshExternal) return [];
    const clusters = inlinePorts(scoped).flatMap((port) => portClusters({ scoped, port, names: "sni-dnat" }, settings, endpoints));
    return firstOfEach(clusters, ({ name }) => name);
  },
);

function inlinePorts({ service }: ScopedService): readonly ServicePort[] {
  return isInline(service) ? service.ports.filter((port) => port.protocol !== "UDP") : [];
}

type Subject = Pick<InlineCluster, "scoped" | "port" | "names">;

function portClusters(subject: Subject, { connection }: ClusterSettings, endpoints: EndpointSettings): readonly InlineCluster[] {
  const { scoped, port, names } = subject;
  const { service, rule, ruleSources } = scoped;
  const form = names === "default" ? "outbound" : "server-name";
  const specOf = (subset: string) => inlineSpec({ service, port, rule, ruleSources, subset }, form, endpoints, connection.defaultTrafficPolicy);
  const whole = specOf("");
  const inherits = effectivePolicy(rule, port.number).loadBalancer?.simple === "PASSTHROUGH";
  const subsets = (rule?.subsets ?? []).map((subset): InlineCluster => {
    const keeps = inherits || subset.policy?.loadBalancer?.simple === "PASSTHROUGH";
    const own = keeps ? {} : { own: specOf(subset.name) };
    return { ...subject, name: namesOf(names, service, port, subset.name).name, subset, whole, ...own };
  });
  return [{ ...subject, name: namesOf(names, service, port).name, whole, own: whole }, ...subsets];
}

/** The cluster as seen from one place; undefined if there is nobody to be seen. `serviceEndpoints`: those of the cluster's service. */
export function inlineCluster(
  cluster: InlineCluster,
  settings: ClusterSettings,
  serviceEndpoints: ServiceEndpoints | undefined,
  { networkGateways, vantage }: Viewpoint,
): Resource | undefined {
  return seenFrom(viewpointOf(networkGateways, vantage), cluster, settings, serviceEndpoints);
}

/** One value for equal parts. */
const viewpointOf = memoize((networkGateways: readonly NetworkGateway[], vantage: Vantage): Viewpoint => ({ networkGateways, vantage }));

const seenFrom = memoize(
  (viewpoint: Viewpoint, cluster: InlineCluster, settings: ClusterSettings, serviceEndpoints: ServiceEndpoints | undefined): Resource | undefined => {
    const { name, scoped, port, subset, whole, own } = cluster;
    if (inlineAssignment(whole, serviceEndpoints, viewpoint) === undefined) return undefined;
    const made: Omit<OutboundCluster, "hosts"> = {
      scoped,
      port,
      ...(subset && { subset }),
      ...namesOf(cluster.names, scoped.service, port, subset?.name),
    };
    if (own === undefined) return outboundCluster({ ...made, hosts: { kind: "original-destination" } }, settings);
    const assignment = inlineAssignment(own, serviceEndpoints, viewpoint);
    if (assignment === undefined) return undefined;
    const hosts: Hosts = { kind: "names", ...resolutionOf(scoped.service, settings), assignment: loadAssignmentMessage(name, assignment.groups) };
    return outboundCluster({ ...made, hosts, from: assignment.from }, settings);
  },
);

/** Connecting to whichever address answers first needs all of them under one name (istio annotation `connect-strategy`). */
function resolutionOf(
  { raceConnect, resolution }: Service,
  { connection }: ClusterSettings,
): { readonly logical: boolean; readonly family: "v4" | "v6" | "all" } {
  const family = connection.families === "v6" ? "v6" : "v4";
  return { logical: raceConnect || resolution === "dns-round-robin", family: raceConnect ? "all" : family };
}

/** What a cluster reads of a vantage, as {@link assignmentReads}. */
export function inlineReads({ whole, own }: InlineCluster): Reads {
  return own === undefined ? { locality: false, nodeName: whole.nodeLocal, labels: [] } : assignmentReads(own);
}
