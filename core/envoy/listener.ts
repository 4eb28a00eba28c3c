import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import { encodeAny } from "#core/lib/protobuf/encode.ts";
import { TrafficDirection } from "#proto/envoy/config/core/v3/base_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import type { AccessLog } from "./access-log.ts";
import { bindAddress } from "./address.ts";
import { durationMessage } from "./duration.ts";
import type { FilterChain } from "./filter-chain.ts";
import type { ListenerFilter } from "./listener-filters.ts";

/** What a listener is made of; absent and false fields are not written. */
export interface ListenerFields {
  readonly name: string;
  readonly direction: "inbound" | "outbound";
  /** The first is the listener's address, others are additional ones. At least one. */
  readonly binds: readonly string[];
  /** 0: the bind is a Unix socket. */
  readonly port: number;
  /** Absent: the field is not written, and Envoy binds. */
  readonly bindToPort?: false;
  /** How many connections are taken from a socket at once. */
  readonly acceptPerEvent?: number;
  /** Bytes that a connection may buffer. */
  readonly bufferLimit?: number;
  readonly chains: readonly FilterChain[];
  /** Takes what no other chain matches. */
  readonly defaultChain?: FilterChain;
  readonly listenerFilters: readonly ListenerFilter[];
  readonly listenerFiltersTimeout?: Duration;
  readonly continueOnTimeout?: true;
  /** Hands a redirected connection to the listener of its original address. */
  readonly useOriginalDestination?: true;
  readonly transparent?: true;
  /** Spreads connections evenly over the worker threads. */
  readonly exactBalance?: boolean;
  readonly accessLogs: readonly AccessLog[];
}

/** A complete Any. */
export function encodeListener(fields: ListenerFields): Uint8Array {
  const [primary = "", ...others] = fields.binds;
  const { listenerFiltersTimeout, acceptPerEvent, bufferLimit, defaultChain } = fields;
  return encodeAny(ListenerSchema, {
    name: fields.name,
    address: bindAddress(primary, fields.port),
    additionalAddresses: others.filter((bind) => bind !== "").map((bind) => ({ address: bindAddress(bind, fields.port) })),
    filterChains: [...fields.chains],
    ...(defaultChain && { defaultFilterChain: defaultChain }),
    listenerFilters: [...fields.listenerFilters],
    ...(listenerFiltersTimeout && { listenerFiltersTimeout: durationMessage(listenerFiltersTimeout) }),
    continueOnListenerFiltersTimeout: fields.continueOnTimeout ?? false,
    trafficDirection: fields.direction === "inbound" ? TrafficDirection.INBOUND : TrafficDirection.OUTBOUND,
    ...(fields.useOriginalDestination && { useOriginalDst: true }),
    ...(fields.transparent && { transparent: true }),
    ...(fields.bindToPort === false && { bindToPort: false }),
    ...(fields.exactBalance && { connectionBalanceConfig: EXACT_BALANCE }),
    ...(bufferLimit !== undefined && { perConnectionBufferLimitBytes: bufferLimit }),
    ...(acceptPerEvent !== undefined && { maxConnectionsToAcceptPerSocketEvent: acceptPerEvent }),
    accessLog: [...fields.accessLogs],
  });
}

const EXACT_BALANCE: MessageInitShape<typeof ListenerSchema>["connectionBalanceConfig"] = { balanceType: { case: "exactBalance", value: {} } };
