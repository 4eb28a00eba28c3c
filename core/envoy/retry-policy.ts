import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RetryPolicySchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { PreviousHostsPredicateSchema } from "#proto/envoy/extensions/retry/host/previous_hosts/v3/previous_hosts_pb.js";
import { PreviousPrioritiesConfigSchema } from "#proto/envoy/extensions/retry/priority/previous_priorities/v3/previous_priorities_config_pb.js";
import { packAny } from "./any.ts";
import { durationMessage } from "./duration.ts";

export interface RetryFields {
  readonly retryOn: string;
  readonly attempts: number;
  readonly statusCodes: readonly number[];
  readonly perTryTimeout?: Span;
  readonly backoff?: Span;
  /** Attempts to select another host than those already tried; absent: the field is not written. */
  readonly hostSelectionAttempts?: number;
  readonly avoidPreviousHosts: boolean;
  /** Tries other priorities (localities) after this many attempts each; absent: does not. */
  readonly priorityUpdateFrequency?: number;
}

interface Span {
  readonly seconds: number;
  readonly nanos: number;
}

export type RetryPolicyMessage = MessageInitShape<typeof RetryPolicySchema>;

export function retryPolicy(fields: RetryFields): RetryPolicyMessage {
  return {
    retryOn: fields.retryOn,
    numRetries: fields.attempts,
    ...(fields.perTryTimeout === undefined ? {} : { perTryTimeout: durationMessage(fields.perTryTimeout) }),
    ...(fields.priorityUpdateFrequency === undefined ? {} : { retryPriority: previousPriorities(fields.priorityUpdateFrequency) }),
    retryHostPredicate: fields.avoidPreviousHosts ? [previousHosts()] : [],
    ...(fields.hostSelectionAttempts === undefined ? {} : { hostSelectionRetryMaxAttempts: BigInt(fields.hostSelectionAttempts) }),
    retriableStatusCodes: [...fields.statusCodes],
    ...(fields.backoff === undefined ? {} : { retryBackOff: { baseInterval: durationMessage(fields.backoff) } }),
  };
}

function previousHosts() {
  const value = packAny(PreviousHostsPredicateSchema, {});
  return { name: "envoy.retry_host_predicates.previous_hosts", configType: { case: "typedConfig", value } } as const;
}

function previousPriorities(updateFrequency: number) {
  const value = packAny(PreviousPrioritiesConfigSchema, { updateFrequency });
  return { name: "envoy.retry_priorities.previous_priorities", configType: { case: "typedConfig", value } } as const;
}
