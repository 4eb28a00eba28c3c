import { isHttpStatus } from "#core/lib/http-status.ts";
import type { HTTPRetry } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { Findings } from "./findings.ts";
import { durationProblem } from "./numbers.ts";

/** Envoy's `x-envoy-retry-on` and `x-envoy-retry-grpc-on`. */
const CONDITIONS: ReadonlySet<string> = new Set([
  "5xx",
  "gateway-error",
  "reset",
  "reset-before-request",
  "connect-failure",
  "retriable-4xx",
  "refused-stream",
  "retriable-status-codes",
  "retriable-headers",
  "envoy-ratelimited",
  "http3-post-connect-failure",
  "cancelled",
  "deadline-exceeded",
  "internal",
  "resource-exhausted",
  "unavailable",
]);

/** A route's retries (istio validateHTTPRetry). */
export function checkRetry(retries: HTTPRetry | undefined, path: string, findings: Findings): void {
  if (retries === undefined) return;
  const { attempts, perTryTimeout, retryOn, retryRemoteLocalities, backoff } = retries;
  if (attempts < 0) findings.error(`${path}.attempts`, "must not be negative");
  if (attempts === 0 && (perTryTimeout !== undefined || retryOn !== "" || retryRemoteLocalities !== undefined)) {
    findings.error(`${path}.attempts`, "retries are configured, but 0 attempts turn them off");
  }
  findings.error(`${path}.perTryTimeout`, durationProblem(perTryTimeout));
  if (retryOn !== "") for (const condition of retryOn.split(",")) findings.error(`${path}.retryOn`, conditionProblem(condition));
  findings.error(`${path}.backoff`, durationProblem(backoff));
}

function conditionProblem(condition: string): string | undefined {
  return CONDITIONS.has(condition) || isHttpStatus(condition) ? undefined : `"${condition}" is not a condition that can be retried on`;
}
