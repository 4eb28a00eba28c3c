import type { Labels } from "#core/lib/labels.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { LocalitySetting } from "../policy/locality-setting.ts";

/**
 * What decides one cluster's load assignment beside the endpoints and the place they are seen from. Interned, so that its identity
 * is a complete key: scopes that see a service alike share one.
 */
export interface AssignmentSpec {
  /** Name of the cluster that asks. */
  readonly cluster: string;
  readonly port: { readonly name: string; readonly number: number };
  /** Where endpoints join by number, the names to try instead of the port's, the first one that finds any counts. */
  readonly portNames?: readonly string[];
  /** Endpoints must have these; absent: all are taken. */
  readonly subsetLabels?: Labels;
  /** How endpoints join the port: `name` (EDS) or `number`, where they say one (assignments inside clusters); `both` where one name may have two numbers. */
  readonly join: "name" | "number" | "both";
  /** Clients only use endpoints of their own node. */
  readonly nodeLocal: boolean;
  /** Clients only use endpoints of their own cluster. */
  readonly clusterLocal: boolean;
  /** Endpoints that are not ready are sent too, so that Envoy knows how many there are. */
  readonly sendsUnhealthy: boolean;
  /** Endpoints on their way out are sent too, for sessions that stick to them. */
  readonly sendsDraining: boolean;
  /** Which endpoints are marked for mTLS: those that may take it, all that a mode is known of, or none (the rule's TLS mode is ISTIO_MUTUAL, or another). */
  readonly mtls: "automatic" | "always" | "never";
  /** Endpoints without mTLS are left out: nothing else gets through an AUTO_PASSTHROUGH gateway. */
  readonly mtlsOnly: boolean;
  readonly locality?: LocalitySetting;
  /** Failover by labels counts. Istio passes over it in assignments inside the clusters of subsets. */
  readonly ranksByLabels: boolean;
  /** Service and rule that all this was read from. */
  readonly sources: readonly ObjectKey[];
}
