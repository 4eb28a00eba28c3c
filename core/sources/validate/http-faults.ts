import type { HTTPFaultInjection, HTTPFaultInjection_Abort, HTTPFaultInjection_Delay } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { Findings } from "./findings.ts";
import { durationProblem, httpStatusProblem, shareProblem } from "./numbers.ts";

const GRPC_STATUS: ReadonlySet<string> = new Set([
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
]);

/** Failures and delays on purpose. */
export function checkFaults(fault: HTTPFaultInjection | undefined, path: string, findings: Findings): void {
  if (fault === undefined) return;
  if (fault.abort === undefined && fault.delay === undefined) findings.error(path, "must have an abort, a delay or both");
  if (fault.abort !== undefined) checkAbort(fault.abort, `${path}.abort`, findings);
  if (fault.delay !== undefined) checkDelay(fault.delay, `${path}.delay`, findings);
}

/** Without a kind of error Istio would warn, but drops that warning on the way. */
function checkAbort({ percentage, errorType }: HTTPFaultInjection_Abort, path: string, findings: Findings): void {
  findings.error(`${path}.percentage`, shareProblem(percentage));
  if (errorType.case === "http2Error") findings.error(`${path}.http2Error`, "HTTP/2 errors are not supported");
  if (errorType.case === "httpStatus") findings.error(`${path}.httpStatus`, httpStatusProblem(errorType.value));
  if (errorType.case === "grpcStatus" && !GRPC_STATUS.has(errorType.value)) {
    findings.error(`${path}.grpcStatus`, `"${errorType.value}" is not the name of a gRPC status`);
  }
}

function checkDelay({ percentage, httpDelayType }: HTTPFaultInjection_Delay, path: string, findings: Findings): void {
  findings.error(`${path}.percentage`, shareProblem(percentage));
  if (httpDelayType.case === undefined) return;
  findings.error(`${path}.${httpDelayType.case}`, durationProblem(httpDelayType.value));
  if (httpDelayType.case === "exponentialDelay") findings.error(`${path}.exponentialDelay`, "not supported");
}
