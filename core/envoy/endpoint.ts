import type { MessageInitShape } from "@bufbuild/protobuf";
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
}

const HEALTH = {
  unset: HealthStatus.UNKNOWN,
  healthy: HealthStatus.HEALTHY,
  unhealthy: HealthStatus.UNHEALTHY,
  draining: HealthStatus.DRAINING,
} as const;

export type LbEndpoint = Fragment<typeof LbEndpointSchema>;

/** An endpoint with its weight (a whole number from 1 to 2^32 - 1), encoded: it appears in many assignments. */
export function encodeEndpoint({ address, port, health, tlsMode, workload }: EndpointSpelling, weight: number): LbEndpoint {
  return encodeFragment(LbEndpointSchema, {
    hostIdentifier: { case: "endpoint", value: { address: bindAddress(address, port) } },
    ...(health === "unset" ? {} : { healthStatus: HEALTH[health] }),
    metadata: {
      filterMetadata: {
        ...(tlsMode === "" ? {} : { "envoy.transport_socket_match": { tlsMode } }),
        istio: { workload },
      },
    },
    loadBalancingWeight: weight,
  });
}

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
