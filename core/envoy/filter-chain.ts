import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { concatBytes, messageField } from "#core/lib/protobuf/splice.ts";
import type { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { FilterChainSchema, FilterSchema } from "#proto/envoy/config/listener/v3/listener_components_pb.js";
import type { AnyMessage } from "./any.ts";
import { durationMessage } from "./duration.ts";
import type { ConfigMetadata } from "./istio-metadata.ts";

export type TransportSocket = MessageInitShape<typeof TransportSocketSchema>;

/** A range of addresses in CIDR form. */
export interface AddressRange {
  readonly prefix: string;
  readonly length: number;
}

/** Empty lists and texts, and port 0, do not restrict. */
export interface ChainMatch {
  readonly port: number;
  readonly ranges: readonly AddressRange[];
  readonly serverNames: readonly string[];
  readonly transport: string;
  readonly applicationProtocols: readonly string[];
}

export interface FilterChainFields {
  readonly name: string;
  /** Absent: no match is written, which is not the same as an empty one. */
  readonly match?: ChainMatch;
  /** Pieces made by {@link networkFilter}, in order. */
  readonly filters: readonly Uint8Array[];
  readonly metadata?: ConfigMetadata;
  readonly transportSocket?: TransportSocket;
  /** Time that the transport socket has to connect (a TLS handshake). */
  readonly connectTimeout?: Duration;
}

/** Numbers of fields: FilterChain's `filters`, Listener's `filter_chains` and `default_filter_chain`. */
const FILTERS = 3;
const FILTER_CHAINS = 3;
const DEFAULT_FILTER_CHAIN = 25;

/** Encodes a network filter as a piece of the filter chain around it. */
export function networkFilter(name: string, config: AnyMessage): Uint8Array {
  return messageField(FILTERS, encode(FilterSchema, { name, configType: { case: "typedConfig", value: config } }));
}

/** Encodes a filter chain as a piece of the listener around it. */
export function filterChain(fields: FilterChainFields): Uint8Array {
  return messageField(FILTER_CHAINS, chainBytes(fields));
}

/** Likewise for the chain that takes what no other chain matches. */
export function defaultFilterChain(fields: FilterChainFields): Uint8Array {
  return messageField(DEFAULT_FILTER_CHAIN, chainBytes(fields));
}

function chainBytes(fields: FilterChainFields): Uint8Array {
  const { match, metadata, transportSocket, connectTimeout } = fields;
  const head = encode(FilterChainSchema, match === undefined ? {} : { filterChainMatch: matchMessage(match) });
  const tail = encode(FilterChainSchema, {
    name: fields.name,
    ...(metadata && { metadata }),
    ...(transportSocket && { transportSocket }),
    ...(connectTimeout && { transportSocketConnectTimeout: durationMessage(connectTimeout) }),
  });
  return concatBytes([head, ...fields.filters, tail]);
}

function matchMessage(match: ChainMatch) {
  return {
    ...(match.port === 0 ? {} : { destinationPort: match.port }),
    prefixRanges: match.ranges.map((range) => ({ addressPrefix: range.prefix, prefixLen: range.length })),
    serverNames: [...match.serverNames],
    transportProtocol: match.transport,
    applicationProtocols: [...match.applicationProtocols],
  };
}
