import { hostAndPort } from "#core/lib/host-port.ts";
import { closeMessage, writeNumber, writeText } from "#core/lib/protobuf/by-hand.ts";
import { encodeAnyBy, encodeBy, writeMessage } from "#core/lib/protobuf/encode.ts";
import { type Fragment, fragment } from "#core/lib/protobuf/fragment.ts";
import type { Writer } from "#core/lib/protobuf/writer.ts";
import { recent } from "#core/lib/recent.ts";
import { HealthStatus } from "#proto/envoy/config/core/v3/health_check_pb.js";
import { LbEndpointSchema } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { bindAddress } from "./address.ts";

// Endpoints are by far the most messages of a mesh, and all alike: they are written by hand (last byte first, see core/lib/protobuf/writer.ts).
// A test compares with what the generated types make.

/** Who serves, as telemetry tells servers apart that can't speak for themselves. */
export interface ServerName {
  readonly workloadName: string;
  readonly namespace: string;
  readonly cluster: string;
  /** The canonical name is the workload's where there is none. */
  readonly traits: { readonly canonicalName: string | undefined; readonly canonicalRevision: string };
}

/** One endpoint, as it is written. */
export interface SpelledEndpoint {
  readonly address: string;
  /** 0: `address` is the path of a Unix socket. */
  readonly port: number;
  readonly health: "unset" | "healthy" | "unhealthy" | "draining";
  /** Which transport socket of the cluster it takes; "" for the default one. */
  readonly tlsMode: string;
  readonly server: ServerName;
  /** Traffic goes to the proxy's own listener that opens HBONE tunnels, which is told the address. */
  readonly tunnelled: boolean;
  /** A whole number from 1 to 2^32 - 1. */
  readonly weight: number;
}

/** Listener of a proxy that opens HBONE tunnels. */
const TUNNEL_LISTENER = "connect_originate";

const HEALTH = {
  unset: HealthStatus.UNKNOWN,
  healthy: HealthStatus.HEALTHY,
  unhealthy: HealthStatus.UNHEALTHY,
  draining: HealthStatus.DRAINING,
} as const;

const SOCKET_MATCH = "envoy.transport_socket_match";

/** The endpoints of one locality and priority. */
export interface LocalityGroup {
  /** `region/zone/subzone`, maybe shorter; "" if unknown. */
  readonly locality: string;
  readonly endpoints: readonly SpelledEndpoint[];
  /** Absent for a group that lost all its endpoints. */
  readonly weight: number | undefined;
  readonly priority: number;
}

/** A complete Any of a ClusterLoadAssignment. */
export function encodeAssignment(clusterName: string, groups: readonly LocalityGroup[]): Uint8Array {
  return encodeAnyBy(ClusterLoadAssignmentSchema, (writer) => writeAssignment(writer, clusterName, groups));
}

/** The assignment as clusters embed it. */
export function loadAssignmentMessage(clusterName: string, groups: readonly LocalityGroup[]): Fragment<typeof ClusterLoadAssignmentSchema> {
  return fragment(
    ClusterLoadAssignmentSchema,
    encodeBy((writer) => writeAssignment(writer, clusterName, groups)),
  );
}

// Tags: number of a field times 8, and its wire type (0: a varint, 2: bytes with their length before them).

/** ClusterLoadAssignment: cluster_name = 1, endpoints = 2. */
function writeAssignment(writer: Writer, clusterName: string, groups: readonly LocalityGroup[]): void {
  for (let index = groups.length - 1; index >= 0; index--) {
    const mark = writer.size;
    writeGroup(writer, groups[index] as LocalityGroup);
    closeMessage(writer, mark, 0x12);
  }
  writeText(writer, clusterName, 0x0a);
}

/** LocalityLbEndpoints: locality = 1, lb_endpoints = 2, load_balancing_weight = 3, priority = 5. */
function writeGroup(writer: Writer, { locality, endpoints, weight, priority }: LocalityGroup): void {
  writeNumber(writer, priority, 0x28);
  if (weight !== undefined) writeWrapped(writer, weight, 0x1a);
  for (let index = endpoints.length - 1; index >= 0; index--) {
    const mark = writer.size;
    writeEndpoint(writer, endpoints[index] as SpelledEndpoint);
    closeMessage(writer, mark, 0x12);
  }
  const mark = writer.size;
  writeLocality(writer, locality);
  closeMessage(writer, mark, 0x0a);
}

/** Locality: region = 1, zone = 2, sub_zone = 3. */
function writeLocality(writer: Writer, locality: string): void {
  const [region = "", zone = "", subZone = ""] = partsOf(locality, () => locality.split("/"));
  writeText(writer, subZone, 0x1a);
  writeText(writer, zone, 0x12);
  writeText(writer, region, 0x0a);
}

/** Localities are few. */
const partsOf = recent<readonly string[]>(1024);

/** LbEndpoint: endpoint = 1, health_status = 2, metadata = 3, load_balancing_weight = 4. */
function writeEndpoint(writer: Writer, endpoint: SpelledEndpoint): void {
  const { address, port, health, tlsMode, server, tunnelled } = endpoint;
  writeWrapped(writer, endpoint.weight, 0x22);
  const mark = writer.size;
  writeServer(writer, server);
  if (tunnelled) writeTunnel(writer, hostAndPort(address, port));
  else if (tlsMode !== "") writeTextEntry(writer, SOCKET_MATCH, "tlsMode", tlsMode);
  closeMessage(writer, mark, 0x1a);
  writeNumber(writer, HEALTH[health], 0x10);
  if (tunnelled || port === 0) writeHost(writer, endpoint);
  else writeSocket(writer, address, port);
}

/** Hosts that are no socket addresses are few: the encoder writes them. */
function writeHost(writer: Writer, { address, port, tunnelled }: SpelledEndpoint): void {
  const internal = { addressNameSpecifier: { case: "serverListenerName", value: TUNNEL_LISTENER }, endpointId: hostAndPort(address, port) } as const;
  const host = tunnelled ? ({ address: { case: "envoyInternalAddress", value: internal } } as const) : bindAddress(address, port);
  writeMessage(writer, LbEndpointSchema, { hostIdentifier: { case: "endpoint", value: { address: host } } });
}

/** Entries of Metadata.filter_metadata in the order of their keys, as all maps: the last one first. */
function writeTunnel(writer: Writer, target: string): void {
  writeTextEntry(writer, SOCKET_MATCH, "tunnel", "http");
  writeTextEntry(writer, "envoy.filters.listener.original_dst", "local", target);
}

/** Istio's telemetry text (istio `networking/util` AppendLbEndpointMetadata): the latest revision goes without saying. */
function writeServer(writer: Writer, { workloadName, namespace, traits: { canonicalName, canonicalRevision }, cluster }: ServerName): void {
  const mark = writer.size;
  writer.characters(cluster);
  writer.byte(SEMICOLON);
  if (canonicalRevision !== "latest") writer.characters(canonicalRevision);
  writer.byte(SEMICOLON);
  writer.characters(canonicalName ?? workloadName);
  writer.byte(SEMICOLON);
  writer.characters(namespace);
  writer.byte(SEMICOLON);
  writer.characters(workloadName);
  closeTextEntry(writer, mark, "istio", "workload");
}

const SEMICOLON = 0x3b;

function writeTextEntry(writer: Writer, filter: string, field: string, text: string): void {
  const mark = writer.size;
  writer.characters(text);
  closeTextEntry(writer, mark, filter, field);
}

/**
 * An entry of filter_metadata = 1 whose Struct has one text, written since `mark`: Value.string_value = 3, then the entries of Struct.fields = 1 and of
 * filter_metadata itself, each key = 1 and value = 2.
 */
function closeTextEntry(writer: Writer, mark: number, filter: string, field: string): void {
  closeMessage(writer, mark, 0x1a);
  closeMessage(writer, mark, 0x12);
  writeText(writer, field, 0x0a);
  closeMessage(writer, mark, 0x0a);
  closeMessage(writer, mark, 0x12);
  writeText(writer, filter, 0x0a);
  closeMessage(writer, mark, 0x0a);
}

/** The first field of an LbEndpoint: Endpoint.address = 1, Address.socket_address = 1, SocketAddress: address = 2, port_value = 3. */
function writeSocket(writer: Writer, address: string, port: number): void {
  const mark = writer.size;
  writer.varint(port);
  writer.byte(0x18);
  writeText(writer, address, 0x12);
  closeMessage(writer, mark, 0x0a);
  closeMessage(writer, mark, 0x0a);
  closeMessage(writer, mark, 0x0a);
}

/** UInt32Value: value = 1. */
function writeWrapped(writer: Writer, value: number, tag: number): void {
  const mark = writer.size;
  writeNumber(writer, value, 0x08);
  closeMessage(writer, mark, tag);
}
