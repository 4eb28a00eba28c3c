import { type RetryPolicyMessage, retryPolicy } from "#core/envoy/retry-policy.ts";
import { isHttpStatus } from "#core/lib/http-status.ts";
import type { HttpRetry } from "#core/model/virtual-service.ts";

const DEFAULT_ATTEMPTS = 2;
const DEFAULT_RETRY_ON = "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes";
const STATUS_CODES_CONDITION = "retriable-status-codes";
const HOST_SELECTION_ATTEMPTS = 5;
const PRIORITY_UPDATE_FREQUENCY = 2;

const BUILT_IN = retryPolicy({
  retryOn: DEFAULT_RETRY_ON,
  attempts: DEFAULT_ATTEMPTS,
  statusCodes: [],
  hostSelectionAttempts: HOST_SELECTION_ATTEMPTS,
  avoidPreviousHosts: true,
});
const BUILT_IN_HASHED: RetryPolicyMessage = { ...BUILT_IN, retryHostPredicate: [] };

/**
 * How requests are tried again: as the route says, else the mesh, else Istio itself. No attempts: not at all. With consistent hashing a retry
 * goes to the host that the hash names, so previous hosts aren't avoided (istio `retry.ConvertPolicy`).
 */
export function retries(retry: HttpRetry | undefined, hashed: boolean): RetryPolicyMessage | undefined {
  if (retry === undefined) return hashed ? BUILT_IN_HASHED : BUILT_IN;
  if (retry.attempts <= 0) return undefined;
  return retryPolicy({
    ...retryConditions(retry.retryOn),
    attempts: retry.attempts,
    ...(retry.perTryTimeout === undefined ? {} : { perTryTimeout: retry.perTryTimeout }),
    ...(retry.backoff === undefined ? {} : { backoff: retry.backoff }),
    hostSelectionAttempts: HOST_SELECTION_ATTEMPTS,
    avoidPreviousHosts: retry.retryIgnorePreviousHosts ?? !hashed,
    ...(retry.retryRemoteLocalities === true ? { priorityUpdateFrequency: PRIORITY_UPDATE_FREQUENCY } : {}),
  });
}

/** `retryOn` mixes Envoy's conditions with status codes, which Envoy wants in a list of their own, named by a condition. */
function retryConditions(retryOn: string): { readonly retryOn: string; readonly statusCodes: readonly number[] } {
  if (retryOn === "") return { retryOn: DEFAULT_RETRY_ON, statusCodes: [] };
  const parts = retryOn.split(",").map((part) => part.trim());
  const statusCodes = parts.filter(isHttpStatus).map(Number);
  const conditions = parts.filter((part) => part !== "" && !isHttpStatus(part)).join(",");
  const implied = statusCodes.length > 0 && !conditions.includes(STATUS_CODES_CONDITION);
  return { retryOn: implied ? `${conditions},${STATUS_CODES_CONDITION}` : conditions, statusCodes };
}
