import { encode, encodeAnyHead } from "#core/lib/protobuf/encode.ts";
import type { EncodedBytes } from "#core/lib/protobuf/fragment.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { type HostPiece, hostPieces } from "./host-piece.ts";
import type { VirtualHostFragment } from "./virtual-host.ts";

export interface RouteConfigurationFields {
  readonly name: string;
  readonly virtualHosts: readonly VirtualHostFragment[];
  /** Absent: Envoy's 4 KiB. */
  readonly maxDirectResponseBodyBytes?: number;
  readonly ignorePortInHostMatching: boolean;
}

/** Bytes of virtual hosts from which on a configuration is left in pieces. */
const LARGE = 64 * 1024;

/** A complete Any, a large one in parts that form it one after the other. Clusters are never validated: a route may name one that comes later. */
export function encodeRouteConfiguration(fields: RouteConfigurationFields): EncodedBytes {
  const { name, virtualHosts, maxDirectResponseBodyBytes, ignorePortInHostMatching } = fields;
  const pieces = hostPieces(virtualHosts);
  const hosts = pieces.map(({ bytes }) => bytes);
  const start = encode(RouteConfigurationSchema, { name });
  const end = encode(RouteConfigurationSchema, {
    validateClusters: false,
    ...(maxDirectResponseBodyBytes === undefined ? {} : { maxDirectResponseBodySizeBytes: maxDirectResponseBodyBytes }),
    ignorePortInHostMatching,
  });
  const size = hosts.reduce((sum, { length }) => sum + length, 0);
  const head = encodeAnyHead(RouteConfigurationSchema, start.length + size + end.length);
  const parts = [concatBytes([head, start]), ...hosts, end];
  const encoded = size < LARGE ? concatBytes(parts) : parts;
  piecesOf.set(encoded, pieces);
  return encoded;
}

const piecesOf = new WeakMap<EncodedBytes, readonly HostPiece[]>();

/** The virtual hosts that a configuration was encoded from; undefined for what {@link encodeRouteConfiguration} did not return. */
export function hostPiecesIn(configuration: EncodedBytes): readonly HostPiece[] | undefined {
  return piecesOf.get(configuration);
}
