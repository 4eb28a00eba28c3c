import { hostAndPort } from "#core/lib/host-port.ts";
import { encode, encodeAnyBy, encodeBy } from "#core/lib/protobuf/encode.ts";
import { type Fragment, fragment } from "#core/lib/protobuf/fragment.ts";
import type { Writer } from "#core/lib/protobuf/writer.ts";
import { recent } from "#core/lib/recent.ts";
import { HealthStatus } from "#proto/envoy/config/core/v3/health_check_pb.js";
import { LbEndpointSchema } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { bindAddress } from "./address.ts";

// Endpoints are by far the most messages of a mesh, and all alike: they are written by hand (last byte first, see core/lib/protobuf/writer.ts).
// A test compares with what the generated types make.

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

/** An endpoint as it is written, its weight apart. What is said of it beside the address it has in common with all endpoints of its workload. */
export interface SpelledEndpoint {
  readonly address: string;
  readonly port: number;
  /** The field of its host, where that is no socket address. */
  readonly host: Uint8Array | undefined;
  /** The fields of its health and metadata. */
  readonly description: Uint8Array;
}

export function spellEndpoint(spelling: EndpointSpelling): SpelledEndpoint {
  const { address, port, health, tlsMode, workload } = spelling;
  if (spelling.tunnelled) return spelled(spelling, tunnelled(spelling));
  if (port === 0) return spelled(spelling, direct(spelling));
  if (last?.health !== health || last.tlsMode !== tlsMode || last.workload !== workload) {
    const description = descriptions(`${health} ${tlsMode} ${workload}`, () => describe(spelling, direct(spelling).metadata));
    last = { health, tlsMode, workload, description };
  }
  return { address, port, host: undefined, description: last.description };
}

/** Neighbours are mostly of one workload. */
let last: (Pick<EndpointSpelling, "health" | "tlsMode" | "workload"> & Pick<SpelledEndpoint, "description">) | undefined;
const descriptions = recent<Uint8Array>(4096);

type Parts = ReturnType<typeof direct> | ReturnType<typeof tunnelled>;

function spelled(spelling: EndpointSpelling, { address, metadata }: Parts): SpelledEndpoint {
  const host = encode(LbEndpointSchema, { hostIdentifier: { case: "endpoint", value: { address } } });
  return { address: spelling.address, port: spelling.port, host, description: describe(spelling, metadata) };
}

function describe({ health, workload }: EndpointSpelling, metadata: Parts["metadata"]): Uint8Array {
  return encode(LbEndpointSchema, { metadata: { filterMetadata: { ...metadata, istio: { workload } } }, healthStatus: HEALTH[health] });
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

/** An endpoint with its weight: a whole number from 1 to 2^32 - 1. */
export interface WeighedEndpoint extends SpelledEndpoint {
  readonly weight: number;
}

/** The endpoints of one locality and priority. */
export interface LocalityGroup {
  /** `region/zone/subzone`, maybe shorter; "" if unknown. */
  readonly locality: string;
  readonly endpoints: readonly WeighedEndpoint[];
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
    close(writer, mark, 0x12);
  }
  writeText(writer, clusterName, 0x0a);
}

/** LocalityLbEndpoints: locality = 1, lb_endpoints = 2, load_balancing_weight = 3, priority = 5. */
function writeGroup(writer: Writer, { locality, endpoints, weight, priority }: LocalityGroup): void {
  writeNumber(writer, priority, 0x28);
  if (weight !== undefined) writeWrapped(writer, weight, 0x1a);
  for (let index = endpoints.length - 1; index >= 0; index--) {
    const mark = writer.size;
    writeEndpoint(writer, endpoints[index] as WeighedEndpoint);
    close(writer, mark, 0x12);
  }
  const mark = writer.size;
  writeLocality(writer, locality);
  close(writer, mark, 0x0a);
}

/** Locality: region = 1, zone = 2, sub_zone = 3. */
function writeLocality(writer: Writer, locality: string): void {
  const [region = "", zone = "", subZone = ""] = locality.split("/");
  writeText(writer, subZone, 0x1a);
  writeText(writer, zone, 0x12);
  writeText(writer, region, 0x0a);
}

/** LbEndpoint: endpoint = 1, health_status = 2, metadata = 3, load_balancing_weight = 4. */
function writeEndpoint(writer: Writer, { address, port, host, description, weight }: WeighedEndpoint): void {
  writeWrapped(writer, weight, 0x22);
  writer.raw(description);
  if (host === undefined) writeSocket(writer, address, port);
  else writer.raw(host);
}

/** The first field of an LbEndpoint: Endpoint.address = 1, Address.socket_address = 1, SocketAddress: address = 2, port_value = 3. */
function writeSocket(writer: Writer, address: string, port: number): void {
  const mark = writer.size;
  writer.varint(port);
  writer.byte(0x18);
  writeText(writer, address, 0x12);
  close(writer, mark, 0x0a);
  close(writer, mark, 0x0a);
  close(writer, mark, 0x0a);
}

/** Empty text is left out, as is 0. */
function writeText(writer: Writer, text: string, tag: number): void {
  if (text === "") return;
  writer.string(text);
  writer.byte(tag);
}

function writeNumber(writer: Writer, value: number, tag: number): void {
  if (value === 0) return;
  writer.varint(value);
  writer.byte(tag);
}

/** UInt32Value: value = 1. */
function writeWrapped(writer: Writer, value: number, tag: number): void {
  const mark = writer.size;
  writeNumber(writer, value, 0x08);
  close(writer, mark, tag);
}

/** Ends a message that was written since `mark`: what stands before it. */
function close(writer: Writer, mark: number, tag: number): void {
  writer.varint(writer.size - mark);
  writer.byte(tag);
}
