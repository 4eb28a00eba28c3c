import type { MessageInitShape } from "@bufbuild/protobuf";
import { hostAndPort } from "#core/lib/host-port.ts";
import { encode, encodeAny, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { type Fragment, fragment } from "#core/lib/protobuf/fragment.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { HealthStatus } from "#proto/envoy/config/core/v3/health_check_pb.js";
import { LbEndpointSchema, type LocalityLbEndpointsSchema } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { bindAddress } from "./address.ts";

/** One endpoint, its weight apart: what is said of it wherever it appears. */
export interface EndpointSpelling {
  readonly address: string;
  /** 0: `address` is the path of a Unix socket. */
  readonly port: number;
  readonly health: "unset" | "healthy" | "unhealthy" | "draining";
  /** Which transport socket of the cluster it takes; "" for the default one. */
  readonly tlsMode: string;
  /** Istio's telemetry text: workload, namespace, canonical name and revision, cluster. */
  readonly workload: string;
  /** Traffic goes to the proxy's own listener that opens HBONE tunnels, which is told the address. */
  readonly tunnelled: boolean;
}

/** Listener of a proxy that opens HBONE tunnels. */
const TUNNEL_LISTENER = "connect_originate";

const HEALTH = {
  unset: HealthStatus.UNKNOWN,
  healthy: HealthStatus.HEALTHY,
  unhealthy: HealthStatus.UNHEALTHY,
  draining: HealthStatus.DRAINING,
} as const;

export type LbEndpoint = Fragment<typeof LbEndpointSchema>;

/** An endpoint with its weight (a whole number from 1 to 2^32 - 1), encoded: it appears in many assignments. */
export function encodeEndpoint(spelling: EndpointSpelling, weight: number): LbEndpoint {
  const { health, workload } = spelling;
  const { address, metadata } = spelling.tunnelled ? tunnelled(spelling) : direct(spelling);
  return encodeFragment(LbEndpointSchema, {
    hostIdentifier: { case: "endpoint", value: { address } },
    ...(health === "unset" ? {} : { healthStatus: HEALTH[health] }),
    metadata: { filterMetadata: { ...metadata, istio: { workload } } },
    loadBalancingWeight: weight,
  });
}

function direct({ address, port, tlsMode }: EndpointSpelling) {
  return { address: bindAddress(address, port), metadata: tlsMode === "" ? {} : { [SOCKET_MATCH]: { tlsMode } } };
}

function tunnelled({ address, port }: EndpointSpelling) {
  const endpointId = hostAndPort(address, port);
  const value = { addressNameSpecifier: { case: "serverListenerName", value: TUNNEL_LISTENER } as const, endpointId };
  return {
    address: { address: { case: "envoyInternalAddress", value } } as const,
    metadata: { "envoy.filters.listener.original_dst": { local: endpointId }, [SOCKET_MATCH]: { tunnel: "http" } },
  };
}

const SOCKET_MATCH = "envoy.transport_socket_match";

/** The same endpoint with another weight: that is the last field of the message, so all before it stays as it is. */
export function reweighEndpoint(endpoint: LbEndpoint, from: number, to: number): LbEndpoint {
  const bytes = encode(LbEndpointSchema, endpoint);
  return fragment(LbEndpointSchema, concatBytes([bytes.subarray(0, bytes.length - weightField(from).length), weightField(to)]));
}

function weightField(weight: number): Uint8Array {
  return encode(LbEndpointSchema, { loadBalancingWeight: weight });
}

/** The endpoints of one locality and priority. */
export interface LocalityGroup {
  /** `region/zone/subzone`, maybe shorter; "" if unknown. */
  readonly locality: string;
  readonly endpoints: readonly LbEndpoint[];
  /** Absent for a group that lost all its endpoints. */
  readonly weight: number | undefined;
  readonly priority: number;
}

/** A complete Any of a ClusterLoadAssignment. */
export function encodeAssignment(clusterName: string, groups: readonly LocalityGroup[]): Uint8Array {
  return encodeAny(ClusterLoadAssignmentSchema, loadAssignmentMessage(clusterName, groups));
}

/** The assignment as clusters embed it. */
export function loadAssignmentMessage(clusterName: string, groups: readonly LocalityGroup[]): MessageInitShape<typeof ClusterLoadAssignmentSchema> {
  return { clusterName, endpoints: groups.map(localityEndpoints) };
}

function localityEndpoints({ locality, endpoints, weight, priority }: LocalityGroup): MessageInitShape<typeof LocalityLbEndpointsSchema> {
  const [region = "", zone = "", subZone = ""] = locality.split("/");
  return {
    locality: { region, zone, subZone },
    lbEndpoints: endpoints as LbEndpoint[],
    ...(weight === undefined ? {} : { loadBalancingWeight: weight }),
    priority,
  };
}
