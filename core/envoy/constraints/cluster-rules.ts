import type { WireView } from "#core/lib/protobuf/wire-view.ts";
import {
  Cluster_DiscoveryType,
  Cluster_LbPolicy,
  Cluster_MaglevLbConfigSchema,
  Cluster_RingHashLbConfigSchema,
  ClusterSchema,
} from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { LocalityLbEndpointsSchema } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import type { MessageRule } from "./message-rule.ts";
import type { Violation } from "./violation.ts";

/** Rules of Envoy's clusters (`source/common/upstream/upstream_impl.cc`, `cluster_factory_impl.cc`, `logical_dns_cluster.cc`). */
export const CLUSTER_RULES: readonly MessageRule[] = [
  [ClusterSchema, discovery],
  [Cluster_RingHashLbConfigSchema, ringSizes],
  [Cluster_MaglevLbConfigSchema, primeTable],
];

const FIELD = ClusterSchema.field;
/** Each way of finding endpoints needs its own part of the cluster and forbids the others'. */
function discovery(message: WireView): readonly Violation[] {
  const set = message.summary();
  // The custom types are extensions of their own.
  if (set.has(FIELD.clusterType.number)) return [];
  const type = set.get(FIELD.type.number) ?? Cluster_DiscoveryType.STATIC;
  const isOriginal = type === Cluster_DiscoveryType.ORIGINAL_DST;
  const found: Violation[] = [];
  if (set.has(FIELD.edsClusterConfig.number) !== (type === Cluster_DiscoveryType.EDS)) {
    found.push({ path: "edsClusterConfig", rule: "must be set on clusters of type EDS, and only there" });
  }
  if (type === Cluster_DiscoveryType.LOGICAL_DNS && endpointCount(message.message(FIELD.loadAssignment.number)) !== 1) {
    found.push({ path: "loadAssignment", rule: "must have exactly one endpoint in a LOGICAL_DNS cluster" });
  }
  if (isOriginal && set.has(FIELD.loadAssignment.number)) found.push({ path: "loadAssignment", rule: "must not be set on ORIGINAL_DST clusters" });
  if (isOriginal !== (set.get(FIELD.lbPolicy.number) === Cluster_LbPolicy.CLUSTER_PROVIDED)) {
    found.push({ path: "lbPolicy", rule: "must be CLUSTER_PROVIDED on ORIGINAL_DST clusters, and only there" });
  }
  return found;
}

function endpointCount(assignment: WireView | undefined): number {
  const groups = assignment?.messages(ClusterLoadAssignmentSchema.field.endpoints.number) ?? [];
  return groups.reduce((count, group) => count + group.messages(LocalityLbEndpointsSchema.field.lbEndpoints.number).length, 0);
}

/** Envoy's default of the largest ring, 8M. */
const LARGEST_RING = 8_388_608;

function ringSizes(message: WireView): readonly Violation[] {
  const least = message.wrapped(Cluster_RingHashLbConfigSchema.field.minimumRingSize.number) ?? 1024;
  const most = message.wrapped(Cluster_RingHashLbConfigSchema.field.maximumRingSize.number) ?? LARGEST_RING;
  return least <= most ? [] : [{ path: "minimumRingSize", rule: "must be at most maximumRingSize" }];
}

function primeTable(message: WireView): readonly Violation[] {
  const size = message.wrapped(Cluster_MaglevLbConfigSchema.field.tableSize.number);
  return size === undefined || isPrime(size) ? [] : [{ path: "tableSize", rule: "must be a prime number" }];
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false;
  return value > 1;
}
