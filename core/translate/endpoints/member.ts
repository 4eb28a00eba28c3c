import { type EndpointSpelling, spellEndpoint, type WeighedEndpoint } from "#core/envoy/endpoint.ts";
import type { Labels } from "#core/lib/labels.ts";
import { takesTunnels } from "#core/lib/tunnel.ts";
import type { Endpoint, WorkloadFacts } from "#core/model/endpoint.ts";

/** An endpoint of one assignment: what later steps look at, and how it is written. */
export interface Member extends WeighedEndpoint {
  readonly labels: Labels;
  readonly network: string;
  readonly cluster: string;
  readonly locality: string;
  /** Marked for Istio's mutual TLS. */
  readonly takesMtls: boolean;
}

/** An endpoint as it is sent, with the mark for mutual TLS or without; `tunnels`: the client may use HBONE where an endpoint takes nothing better. */
export function memberOf(endpoint: Endpoint, marked: boolean, tunnels: boolean): Member {
  const { workload } = endpoint;
  const { labels, network, cluster, locality } = workload;
  const tunnelled = tunnels && isTunnelled(endpoint);
  const weight = endpoint.weight > 0 ? endpoint.weight : 1;
  const tlsMode = marked && !tunnelled && workload.tlsMode !== "disabled" ? workload.tlsMode : "";
  const spelling = {
    address: endpoint.address,
    port: endpoint.port,
    health: healthOf(endpoint),
    tlsMode,
    workload: telemetryText(workload),
    tunnelled,
  };
  const { address, port, host, description } = spellEndpoint(spelling);
  // Field by field, as there are tens of thousands: spreading an object costs more than all the rest.
  return { address, port, host, description, labels, network, cluster, locality, weight, takesMtls: tlsMode === "istio" };
}

/** A waypoint, or a workload that takes HBONE, unless it has Istio's mutual TLS too (istio `endpoint_builder.go` buildEnvoyLbEndpoint, supportTunnel). */
export function isTunnelled({ workload: { labels, tlsMode } }: Endpoint): boolean {
  return tlsMode !== "istio" && (labels["gateway.istio.io/managed"] === "istio.io-mesh-controller" || takesTunnels(labels));
}

/** Terminating endpoints are never sent, and a label drains an endpoint whatever Kubernetes says. */
function healthOf({ health, workload: { labels } }: Endpoint): EndpointSpelling["health"] {
  if (labels[DRAINING_LABEL] || health === "terminating") return "draining";
  return health;
}

/** Whoever has it gets no new sessions, whatever Kubernetes says. */
export const DRAINING_LABEL = "istio.io/draining";

/** The same endpoint with another weight. */
export function reweigh(member: Member, weight: number): Member {
  return member.weight === weight ? member : { ...member, weight };
}

/**
 * What telemetry says of a server that can't speak for itself: workload, namespace, canonical name, canonical revision, cluster
 * (istio `networking/util` AppendLbEndpointMetadata).
 */
function telemetryText({ labels, workloadName, namespace, cluster }: WorkloadFacts): string {
  const name = labels["service.istio.io/canonical-name"] ?? labels["app.kubernetes.io/name"] ?? labels.app ?? workloadName;
  const revision = labels["service.istio.io/canonical-revision"] ?? labels["app.kubernetes.io/version"] ?? labels.version ?? "latest";
  const known = last;
  const isSame =
    known.workloadName === workloadName &&
    known.namespace === namespace &&
    known.name === name &&
    known.revision === revision &&
    known.cluster === cluster;
  if (isSame) return known.text;
  const text = `${workloadName};${namespace};${name};${revision === "latest" ? "" : revision};${cluster}`;
  last = { workloadName, namespace, name, revision, cluster, text };
  return text;
}

/** Neighbours are mostly of one workload. */
let last = { workloadName: "", namespace: "", name: "", revision: "", cluster: "", text: ";;;;" };
