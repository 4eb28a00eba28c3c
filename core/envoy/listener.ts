import type { MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Duration } from "#core/lib/duration.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { TrafficDirection } from "#proto/envoy/config/core/v3/base_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import type { AccessLog } from "./access-log.ts";
import { bindAddress } from "./address.ts";
import { typeUrl } from "./any.ts";
import { durationMessage } from "./duration.ts";
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
  /** Pieces made by `filterChain`, in order. */
  readonly chains: readonly Uint8Array[];
  /** A piece made by `defaultFilterChain`. */
  readonly defaultChain?: Uint8Array;
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
  const { listenerFiltersTimeout, acceptPerEvent, defaultChain } = fields;
  const head = encode(ListenerSchema, { name: fields.name, address: bindAddress(primary, fields.port) });
  const middle = encode(ListenerSchema, {
    listenerFilters: [...fields.listenerFilters],
    ...(fields.useOriginalDestination && { useOriginalDst: true }),
    ...(fields.transparent && { transparent: true }),
    ...(listenerFiltersTimeout && { listenerFiltersTimeout: durationMessage(listenerFiltersTimeout) }),
    trafficDirection: fields.direction === "inbound" ? TrafficDirection.INBOUND : TrafficDirection.OUTBOUND,
    continueOnListenerFiltersTimeout: fields.continueOnTimeout ?? false,
    ...(fields.exactBalance && { connectionBalanceConfig: EXACT_BALANCE }),
    accessLog: [...fields.accessLogs],
  });
  const tail = encode(ListenerSchema, {
    ...(fields.bindToPort === false && { bindToPort: false }),
    additionalAddresses: others.filter((bind) => bind !== "").map((bind) => ({ address: bindAddress(bind, fields.port) })),
    ...(acceptPerEvent !== undefined && { maxConnectionsToAcceptPerSocketEvent: acceptPerEvent }),
  });
  const value = concatBytes([head, ...fields.chains, middle, ...(defaultChain ? [defaultChain] : []), tail]);
  return encode(AnySchema, { typeUrl: typeUrl(ListenerSchema), value });
}

const EXACT_BALANCE: MessageInitShape<typeof ListenerSchema>["connectionBalanceConfig"] = { balanceType: { case: "exactBalance", value: {} } };
