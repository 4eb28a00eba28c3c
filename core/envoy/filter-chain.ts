import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import { memoize } from "#core/lib/memo.ts";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { CidrRangeSchema } from "#proto/envoy/config/core/v3/address_pb.js";
import type { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { FilterChainMatchSchema, FilterChainSchema, FilterSchema } from "#proto/envoy/config/listener/v3/listener_components_pb.js";
import type { AnyMessage } from "./any.ts";
import { durationMessage } from "./duration.ts";
import type { ConfigMetadata } from "./istio-metadata.ts";

export type TransportSocket = MessageInitShape<typeof TransportSocketSchema>;

/** A range of addresses in CIDR form. */
export interface AddressRange {
  readonly prefix: string;
  readonly length: number;
}

export function cidrRange({ prefix, length }: AddressRange): MessageInitShape<typeof CidrRangeSchema> {
  return { addressPrefix: prefix, prefixLen: length };
}

/** Empty lists and texts do not restrict. */
export interface ChainMatch {
  /** Absent: any. */
  readonly port?: number;
  readonly ranges: readonly AddressRange[];
  readonly serverNames: readonly string[];
  readonly transport: string;
  readonly applicationProtocols: readonly string[];
}

export interface FilterChainFields {
  readonly name: string;
  /** Absent: no match is written, which is not the same as an empty one. */
  readonly match?: ChainMatch;
  readonly filters: readonly NetworkFilter[];
  readonly metadata?: ConfigMetadata;
  readonly transportSocket?: TransportSocket;
  /** Time that the transport socket has to connect (a TLS handshake). */
  readonly connectTimeout?: Duration;
}

/** A literal, encoded where it stands; or a fragment, encoded once and copied. */
export type NetworkFilter = MessageInitShape<typeof FilterSchema>;
export type FilterChain = MessageInitShape<typeof FilterChainSchema>;

/** For one listener alone. */
export function networkFilterMessage(name: string, config: AnyMessage): NetworkFilter {
  return { name, configType: { case: "typedConfig", value: config } };
}

/** For many. */
export function networkFilter(name: string, config: AnyMessage): NetworkFilter {
  return encodeFragment(FilterSchema, networkFilterMessage(name, config));
}

/** For one listener alone. Made for each chain of each workload, hence without spreads. */
export function filterChainMessage(fields: Omit<FilterChainFields, "filters">, filters: readonly NetworkFilter[]): FilterChain {
  const { name, match, metadata, transportSocket, connectTimeout } = fields;
  const message: FilterChain = { name, filters: filters.slice() };
  if (match !== undefined) message.filterChainMatch = encodedMatch(match);
  if (metadata !== undefined) message.metadata = metadata;
  if (transportSocket !== undefined) message.transportSocket = transportSocket;
  if (connectTimeout !== undefined) message.transportSocketConnectTimeout = durationMessage(connectTimeout);
  return message;
}

/** For many. */
export function filterChain(fields: FilterChainFields): FilterChain {
  return encodedChain(filterChainMessage(fields, fields.filters));
}

export function encodedChain(chain: FilterChain): FilterChain {
  return encodeFragment(FilterChainSchema, chain);
}

/** Few differ: those of one plan, or of one port and kind, are one value. */
const encodedMatch = memoize((match: ChainMatch) =>
  encodeFragment(FilterChainMatchSchema, {
    ...(match.port !== undefined && { destinationPort: match.port }),
    prefixRanges: match.ranges.map(cidrRange),
    serverNames: [...match.serverNames],
    transportProtocol: match.transport,
    applicationProtocols: [...match.applicationProtocols],
  }),
);
