import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "#core/lib/duration.ts";
import { encodeAny, encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { CircuitBreakersSchema } from "#proto/envoy/config/cluster/v3/circuit_breaker_pb.js";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { FilterSchema } from "#proto/envoy/config/cluster/v3/filter_pb.js";
import { OutlierDetectionSchema } from "#proto/envoy/config/cluster/v3/outlier_detection_pb.js";
import { durationMessage } from "./duration.ts";
import { typedStruct } from "./typed-struct.ts";

type Init = MessageInitShape<typeof ClusterSchema>;

/** A cluster, or some of its fields, to be put together by spreading. */
export type ClusterMessage = { [K in Exclude<keyof Init, "$typeName" | "$unknown">]?: Exclude<Init[K], undefined> };

/** A cluster as a complete resource. */
export function encodeCluster(message: ClusterMessage): Uint8Array {
  return encodeAny(ClusterSchema, message);
}

/** Tells the peers' proxies about each other over TCP (Istio's own filter). */
export const METADATA_EXCHANGE: MessageInitShape<typeof FilterSchema> = encodeFragment(FilterSchema, {
  name: "istio.metadata_exchange",
  typedConfig: typedStruct("envoy.tcp.metadataexchange.config.MetadataExchange", { protocol: "istio-peer-exchange", enable_discovery: true }),
});

/** The most that a 32-bit counter holds: no limit. */
const UNLIMITED = 0xffff_ffff;

export interface Limits {
  readonly connections?: number;
  readonly pendingRequests?: number;
  readonly requests?: number;
  readonly retries?: number;
  readonly retryBudget?: { readonly percent: number; readonly minimumConcurrency: number; readonly interval?: Duration };
}

/** Limits of the default priority, encoded; what is absent is unlimited, since Envoy's own defaults are low. */
export function circuitBreakers(limits: Limits): NonNullable<ClusterMessage["circuitBreakers"]> {
  const { retryBudget: budget } = limits;
  return encodeFragment(CircuitBreakersSchema, {
    thresholds: [
      {
        maxConnections: limits.connections ?? UNLIMITED,
        maxPendingRequests: limits.pendingRequests ?? UNLIMITED,
        maxRequests: limits.requests ?? UNLIMITED,
        maxRetries: limits.retries ?? UNLIMITED,
        ...(budget === undefined
          ? {}
          : {
              retryBudget: {
                budgetPercent: { value: budget.percent },
                minRetryConcurrency: budget.minimumConcurrency,
                ...(budget.interval === undefined ? {} : { budgetInterval: durationMessage(budget.interval) }),
              },
            }),
      },
    ],
  });
}

export interface KeepaliveFields {
  readonly probes?: number;
  /** Seconds. */
  readonly time?: number;
  readonly interval?: number;
}

/** Switches TCP keepalive on; what is absent is left to the operating system. */
export function tcpKeepalive({ probes, time, interval }: KeepaliveFields): NonNullable<ClusterMessage["upstreamConnectionOptions"]> {
  return {
    tcpKeepalive: {
      ...(probes === undefined ? {} : { keepaliveProbes: probes }),
      ...(time === undefined ? {} : { keepaliveTime: time }),
      ...(interval === undefined ? {} : { keepaliveInterval: interval }),
    },
  };
}

export interface OutlierFields {
  readonly consecutive5xx?: number;
  readonly consecutiveGatewayFailures?: number;
  readonly interval?: Duration;
  readonly baseEjectionTime?: Duration;
  readonly maxEjectionPercent?: number;
  /** Absent: errors of the local side are not told apart. */
  readonly localOrigin?: { readonly consecutiveFailures?: number };
}

/** Ejects hosts by consecutive errors only: checks of success rates are switched off. A count of 0 switches its check off. */
export function outlierDetection(fields: OutlierFields): Fragment<typeof OutlierDetectionSchema> {
  const { consecutive5xx: errors, consecutiveGatewayFailures: gateway, localOrigin } = fields;
  return encodeFragment(OutlierDetectionSchema, {
    enforcingSuccessRate: 0,
    ...(errors === undefined ? {} : { consecutive5xx: errors, enforcingConsecutive5xx: errors > 0 ? 100 : 0 }),
    ...(gateway === undefined ? {} : { consecutiveGatewayFailure: gateway, enforcingConsecutiveGatewayFailure: gateway > 0 ? 100 : 0 }),
    ...(fields.interval === undefined ? {} : { interval: durationMessage(fields.interval) }),
    ...(fields.baseEjectionTime === undefined ? {} : { baseEjectionTime: durationMessage(fields.baseEjectionTime) }),
    ...(fields.maxEjectionPercent === undefined ? {} : { maxEjectionPercent: fields.maxEjectionPercent }),
    ...(localOrigin === undefined ? {} : localOriginChecks(localOrigin)),
  });
}

function localOriginChecks({ consecutiveFailures: failures }: NonNullable<OutlierFields["localOrigin"]>) {
  return {
    splitExternalLocalOriginErrors: true,
    enforcingLocalOriginSuccessRate: 0,
    ...(failures === undefined ? {} : { consecutiveLocalOriginFailure: failures, enforcingConsecutiveLocalOriginFailure: 100 }),
  };
}

/** Metadata under the key that Istio's filters read. */
export function istioMetadata(fields: JsonObject): NonNullable<ClusterMessage["metadata"]> {
  return { filterMetadata: { istio: fields } };
}

/** Connections leave from these addresses; traffic capture knows them and lets them through. */
export function bindFrom([first, ...others]: readonly [string, ...string[]]): NonNullable<ClusterMessage["upstreamBindConfig"]> {
  return {
    sourceAddress: sourceAddress(first),
    extraSourceAddresses: others.map((address) => ({ address: sourceAddress(address) })),
  };
}

function sourceAddress(address: string) {
  return { address, portSpecifier: { case: "portValue" as const, value: 0 } };
}
