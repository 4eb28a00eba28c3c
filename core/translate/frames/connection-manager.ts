import type { DnsCacheFields } from "#core/envoy/dns-cache.ts";
import type { NetworkFilter } from "#core/envoy/filter-chain.ts";
import {
  connectionManagerFilter,
  connectionManagerFilters,
  connectionManagerTail,
  connectionManagerTracing,
} from "#core/envoy/http-connection-manager.ts";
import { dynamicForwardProxy, grpcWeb, outboundPeerMetadata } from "#core/envoy/http-filters.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ListenerLiterals } from "../literals.ts";
import { type HttpFilterSlots, orderHttpFilters } from "./filter-slots.ts";
import type { ClassFrame } from "./frame.ts";
import { type TracingFrame, workloadTracing } from "./tracing.ts";

/** What a listener wants of its connection manager beyond its frame. */
export interface ManagerVariant {
  readonly grpcWeb: boolean;
  /** HTTP/2 options are written (inbound ports that are declared to speak it). */
  readonly http2: boolean;
  /** Requests may name their host in the first line, as to a proxy. */
  readonly absoluteUrl: boolean;
  /** Peer metadata is sent to everybody, whatever the proxy's config says. */
  readonly exchangeWithAll: boolean;
  /** Caches of hosts that are resolved when requests come. */
  readonly forwardProxies: readonly DnsCacheFields[];
}

const intern = interner<ManagerVariant>();

/** Equal variants have one identity. */
export function managerVariant(wanted: Partial<ManagerVariant>): ManagerVariant {
  return intern({
    grpcWeb: wanted.grpcWeb ?? false,
    http2: wanted.http2 ?? false,
    absoluteUrl: wanted.absoluteUrl ?? false,
    exchangeWithAll: wanted.exchangeWithAll ?? false,
    forwardProxies: wanted.forwardProxies ?? [],
  });
}

/** A connection manager that is complete but for what its listener decides (its head) and its workload's names. */
export interface ManagerFrame {
  readonly filters: Uint8Array;
  readonly tracing: TracingFrame | undefined;
  readonly tail: Uint8Array;
}

/** What listeners of one class and variant share, encoded once. */
export const managerFrame = memoize(
  (frame: ClassFrame, variant: ManagerVariant): ManagerFrame => ({
    filters: connectionManagerFilters(orderHttpFilters({ ...frame.httpFilters, ...variantFilters(variant, frame) })),
    tracing: frame.tracing,
    tail: connectionManagerTail({
      ...frame.connection,
      accessLogs: frame.accessLogs.http,
      http2: variant.http2,
      allowAbsoluteUrl: variant.absoluteUrl,
    }),
  }),
);

function variantFilters(variant: ManagerVariant, { istioFilters }: ClassFrame): HttpFilterSlots {
  return {
    ...(variant.exchangeWithAll && istioFilters && { "peer-metadata": [outboundPeerMetadata(false)] }),
    ...(variant.grpcWeb && { "grpc-web": [grpcWeb()] }),
    ...(variant.forwardProxies.length > 0 && { "forward-proxy": variant.forwardProxies.map(dynamicForwardProxy) }),
  };
}

/** Completes a connection manager. Only the workload's tracing is its own; the rest is copied. Without a workload nothing is traced. */
export function connectionManager(frame: ManagerFrame, head: Uint8Array, literals: ListenerLiterals | undefined): NetworkFilter {
  const tracing = frame.tracing === undefined || literals === undefined ? NO_TRACING : tracingPart(frame.tracing, literals);
  return connectionManagerFilter(head, frame.filters, tracing, frame.tail);
}

const NO_TRACING = new Uint8Array();

const tracingPart = memoize((frame: TracingFrame, literals: ListenerLiterals) => connectionManagerTracing(workloadTracing(frame, literals)));
