import type { SpelledEndpoint } from "#core/envoy/endpoint.ts";
import type { Endpoint, WorkloadFacts } from "#core/model/endpoint.ts";

/** An endpoint of one assignment: how it is written, and what grouping and ranking look at. */
export interface Member extends SpelledEndpoint {
  readonly place: Pick<WorkloadFacts, "labels" | "network" | "cluster" | "locality">;
}

/** An endpoint as it is sent, with the mark for mutual TLS or without; `tunnels`: the client may use HBONE where an endpoint takes nothing better. */
export function memberOf(endpoint: Endpoint, marked: boolean, tunnels: boolean): Member {
  const { workload, address, port } = endpoint;
  const tunnelled = tunnels && isTunnelled(endpoint);
  const weight = endpoint.weight > 0 ? endpoint.weight : 1;
  const tlsMode = marked && !tunnelled && workload.tlsMode !== "disabled" ? workload.tlsMode : "";
  return { address, port: port.number, health: healthOf(endpoint), tlsMode, server: workload, tunnelled, weight, place: workload };
}

/** Is it marked for Istio's mutual TLS? */
export function takesMtls({ tlsMode }: Member): boolean {
  return tlsMode === "istio";
}

/** A waypoint, or a workload that takes HBONE, unless it has Istio's mutual TLS too (istio `endpoint_builder.go` buildEnvoyLbEndpoint, supportTunnel). */
export function isTunnelled({ workload: { traits, tlsMode } }: Endpoint): boolean {
  return tlsMode !== "istio" && (traits.isWaypoint || traits.tunnels);
}

/** Terminating endpoints are never sent, and a label drains an endpoint whatever Kubernetes says. */
function healthOf({ health, workload: { traits } }: Endpoint): SpelledEndpoint["health"] {
  if (traits.drains || health === "terminating") return "draining";
  return health;
}

/** The same endpoint with another weight. */
export function reweigh(member: Member, weight: number): Member {
  return member.weight === weight ? member : { ...member, weight };
}
