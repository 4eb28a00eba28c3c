import type { AnyMessage } from "#core/envoy/any.ts";
import { type FaultFields, httpFault } from "#core/envoy/http-fault.ts";
import type { HttpFault } from "#core/model/virtual-service.ts";
import { shareOfPercent, shareOfWholePercent } from "./percent.ts";

/** The filter whose settings of a route these are. */
export const FAULT_FILTER = "envoy.filters.http.fault";

/**
 * Faults injected on a route: a delay without `percentage` takes the older whole one (0 if that isn't given either), an abort without stays
 * without (istio `route.TranslateFault`).
 */
export function faultSettings(fault: HttpFault): AnyMessage {
  return httpFault({ ...delayOf(fault.delay), ...abortOf(fault.abort) });
}

function delayOf(delay: HttpFault["delay"]): Pick<FaultFields, "delay"> {
  if (delay?.fixedDelay === undefined) return {};
  const share = delay.percentage === undefined ? shareOfWholePercent(delay.deprecatedPercent) : shareOfPercent(delay.percentage.value);
  return { delay: { duration: delay.fixedDelay, share } };
}

function abortOf(abort: HttpFault["abort"]): Pick<FaultFields, "abort"> {
  if (abort === undefined) return {};
  const { error, percentage } = abort;
  const status =
    error.kind === "http"
      ? ({ kind: "httpStatus", code: error.status } as const)
      : ({ kind: "grpcStatus", code: GRPC_STATUS[error.status] ?? 0 } as const);
  return { abort: { status, ...(percentage === undefined ? {} : { share: shareOfPercent(percentage.value) }) } };
}

/** Names of gRPC's status codes (grpc.io, "Status codes"). */
const GRPC_STATUS: Readonly<Record<string, number>> = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
};
